# Appended to the integration for a nested zsh: keeps the line that loaded it out of the history file.
'builtin' 'typeset' -g HISTORY_IGNORE="(${HISTORY_IGNORE:+$HISTORY_IGNORE|}*__tenacitty_*|*/tenacitty.zsh*)"
