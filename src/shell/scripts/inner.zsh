# Behind the rest, in a zsh within another shell: the line that has loaded this is not for its history file.
'builtin' 'typeset' -g HISTORY_IGNORE="(${HISTORY_IGNORE:+$HISTORY_IGNORE|}*__tenacitty_*|*/tenacitty.zsh*)"
