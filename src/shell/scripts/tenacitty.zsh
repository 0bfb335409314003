# Tells tenacitty where prompts and commands begin and end in this zsh. Loading it again repairs what is missing. It
# exports nothing and leaves `$?` unchanged. `set -e` and `set -x` apply to what the user does, not to this script.
# Values of variables, which anyone may have set, are treated as text only: never as a name, as a number in arithmetic,
# or as a command.
if [[ -o aliases ]] { __tenacitty_aliases=aliases } else { __tenacitty_aliases=no_aliases }
# Users' aliases for builtins apply to what they type, not to this script.
'builtin' 'setopt' no_aliases
'builtin' 'typeset' -g +x __tenacitty_turn="${__tenacitty_turn-}" __tenacitty_last="${__tenacitty_last-}"
'builtin' 'typeset' -g +x __tenacitty_status="${__tenacitty_status-}" __tenacitty_ran= __tenacitty_end=
'builtin' 'typeset' -g +x __tenacitty_comments="${__tenacitty_comments-}"

# One printf is one write to the terminal: no other output can come in between.
__tenacitty_mark() { builtin printf '\e]7717;%s;%s\a' @NONCE@ "$1" 2>/dev/null >/dev/tty }

# If a mark cannot carry the directory, or PWD is not its name, tenacitty asks the system for it.
__tenacitty_place() {
  if [[ "$PWD" -ef . && "$PWD" != *[[:cntrl:]]* ]] && (( ${#PWD} <= 200 )); then __tenacitty_here=$PWD; fi
}

# As in bash, but zsh itself can tell whether a function has that name.
__tenacitty_evaluates() {
  __tenacitty_ran=
  if (( ! ${+functions[builtin]} )); then builtin eval '__tenacitty_ran=0'; fi
  [[ "$__tenacitty_ran" == 0 ]]
}
# zsh parses a text of several lines as a whole unless it comes from a file. In a file, an alias that the first line
# defines is known in the second.
__tenacitty_take() {
  IFS= builtin read -r -d '' __tenacitty_text <@DIRECTORY@/"$1"
  if [[ "$__tenacitty_text" == *$'\n'* ]]; then __tenacitty_text='\builtin \. '${(qq)${:-@DIRECTORY@/$1}}; fi
}
__tenacitty_c() {
  builtin emulate -L zsh
  builtin setopt no_err_exit no_err_return
  builtin typeset -g __tenacitty_text=@NONCE@
  # The line consists of groups, because an alias may give any meaning to `{`.
  if [[ "$1" != "$__tenacitty_last" ]] && ! builtin alias '{' && __tenacitty_evaluates && __tenacitty_take "$1" &&
    [[ "$__tenacitty_text" != @NONCE@ ]] && builtin typeset -g __tenacitty_is_$1=1 && __tenacitty_mark "C;$1;$$"; then
    __tenacitty_last=$1
  else
    __tenacitty_text=
  fi
  # `return` evaluates its argument as arithmetic.
  [[ "$__tenacitty_status" == <0-255> ]] || __tenacitty_status=1
  builtin return "$__tenacitty_status"
}

# Within `eval`, the eval itself is the first job: the text cannot refer to its own jobs by number, and Ctrl-Z stops all
# of it. A key in the line of a command therefore replaces the eval with an alias, which zsh reads as if the text had
# been typed. An incomplete text is evaluated instead, and so is one that may define in one line what the parser needs
# in another, because an error would end the line that is being typed.
__tenacitty_inline() { { __tenacitty_replace_eval } always { TRY_BLOCK_ERROR=0 } } 2>/dev/null
__tenacitty_replace_eval() {
  builtin local number="${${BUFFER##*__tenacitty_c }%%&*}"
  __tenacitty_text=
  if [[ ! -o aliases || -o local_options ]] || ! __tenacitty_is_whole "$number" || [[ -z "$__tenacitty_text" ]]; then
    builtin return
  fi
  # Comments are known in files, but not at every prompt.
  if [[ ! -o interactive_comments ]]; then __tenacitty_comments=no; builtin setopt interactive_comments; fi
  builtin alias -- __tenacitty_text="$__tenacitty_text"$'\n\n' || builtin return
  BUFFER=" __tenacitty_begin $number;{ __tenacitty_return \${__tenacitty_is_$number:?}&&__tenacitty_yes=;} &>/dev/null;"
  BUFFER+='__tenacitty_text;{ __tenacitty_run='
  CURSOR=${#BUFFER}
}
# zsh itself can tell whether a text is complete: what follows it then stays behind it. An error in it ends the widget.
__tenacitty_is_whole() {
  if ! __tenacitty_may_be_inline "$1"; then builtin return 1; fi
  functions[__tenacitty_parsed]="$__tenacitty_text"$'\n\n__tenacitty_behind'
  __tenacitty_ran="${functions[__tenacitty_parsed]}"
  builtin unset -f __tenacitty_parsed
  [[ "$__tenacitty_ran" == *$'\n\t__tenacitty_behind' ]]
}
__tenacitty_may_be_inline() {
  builtin emulate -L zsh
  builtin setopt no_err_exit no_err_return
  IFS= builtin read -r -d '' __tenacitty_text <@DIRECTORY@/"$1"
  (( ${+functions[__tenacitty_begin]} && ! ${+functions[builtin]} )) && ! builtin alias '{' &&
    [[ "$__tenacitty_text" != *$'\n'* || $'\n'"$__tenacitty_text" != *(alias|source|emulate|opt|$'\n'.)\ * ]]
}
# Whatever prevents the start from being reported ends the line.
__tenacitty_begin() {
  __tenacitty_status=$?
  builtin emulate -L zsh
  builtin setopt no_err_exit no_err_return no_xtrace
  if [[ "$1" == "$__tenacitty_last" ]] || ! builtin typeset -g __tenacitty_is_$1=1 || ! __tenacitty_mark "C;$1;$$"; then
    builtin : "${2:?}" 2>/dev/null
  fi
  __tenacitty_last=$1
}
__tenacitty_return() {
  __tenacitty_tidy
  builtin return "$__tenacitty_status"
}
# Not called where options are local.
__tenacitty_tidy() {
  if [[ "$__tenacitty_comments" == no ]]; then __tenacitty_comments=; builtin unsetopt interactive_comments; fi
  if (( ${+aliases[__tenacitty_text]} )); then builtin unalias __tenacitty_text; fi
}
# A line that was changed before it ran (`histchars`) has not stored its number, so its status is unknown.
__tenacitty_d() {
  __tenacitty_status=
  if [[ "$__tenacitty_end" == "$1":* ]]; then __tenacitty_status=${__tenacitty_end#*:}; fi
  builtin emulate -L zsh
  builtin setopt no_err_exit no_err_return
  builtin typeset -g __tenacitty_here=
  __tenacitty_place
  __tenacitty_hook
  __tenacitty_mark "D;$1;$__tenacitty_status;$$;$__tenacitty_here"
  builtin unset -v __tenacitty_is_$1
  builtin return "${__tenacitty_status:-1}"
}

__tenacitty_precmd() { { __tenacitty_ended || :; __tenacitty_tidy } 2>/dev/null }
__tenacitty_ended() {
  __tenacitty_status=$?
  builtin emulate -L zsh
  builtin setopt no_err_exit no_err_return
  case $__tenacitty_turn in ('' | 0* | *[^0123456789]* | ????????????*) __tenacitty_turn=0 ;; esac
  __tenacitty_turn=$(( __tenacitty_turn + 1 ))
  builtin typeset -g __tenacitty_here=
  __tenacitty_place
  __tenacitty_mark "D;h$__tenacitty_turn;$__tenacitty_status:$__tenacitty_end;$$;$__tenacitty_here"
  [[ -o zle ]] || __tenacitty_mark "E;$$"
  __tenacitty_wrap
  __tenacitty_hook
  builtin return "$__tenacitty_status"
}
__tenacitty_wrap() {
  builtin local mark=$'%{\e]7717;'@NONCE@ close=$'\a%}'
  if [[ "$PS1" != *'7717;'@NONCE@';A'* ]]; then
    # A single % at the end would combine with what follows.
    if [[ $PS1 == (*[^%]|)(%%)#% ]]; then PS1=$PS1%; fi
    PS1="$mark;A;$$$close$PS1$mark;B;$$$close"
  fi
  # One variable with two names; each name counts as unset until it is assigned to.
  builtin local right="${RPS1:-${RPROMPT-}}"
  if [[ -n "$right" && "$right" != *'7717;'@NONCE@';G'* ]]; then RPS1="$mark;G;$$$close$right$mark;H;$$$close"; fi
  if [[ "$PS2" != *'7717;'@NONCE@';F'* ]]; then PS2="$mark;F;$$$close$PS2"; fi
  # A nested shell must not be mistaken for this one.
  builtin typeset -g +x PS1 PS2 RPS1 RPROMPT
}
__tenacitty_preexec() { { __tenacitty_typed "$1" || : } 2>/dev/null }
__tenacitty_typed() {
  builtin setopt local_options local_traps no_err_exit no_err_return
  # If file sizes are limited, the write fails and the shell continues.
  builtin trap '' XFSZ
  if [[ "$1" != *'__tenacitty_d '* ]]; then
    builtin print -r -- "$1" >|@DIRECTORY@/typed
    __tenacitty_mark "C;0;$$"
  fi
}
# The line of a command stays out of the user's history.
__tenacitty_history() { { builtin setopt local_options no_err_exit no_err_return; [[ "$1" != *'__tenacitty_'* ]] } 2>/dev/null }

# Runs last before a prompt, after themes have built theirs. A user who emptied the arrays did not mean to remove our
# entries.
__tenacitty_hook() {
  builtin typeset -ga precmd_functions preexec_functions zshaddhistory_functions
  precmd_functions=(${precmd_functions:#__tenacitty_precmd} __tenacitty_precmd)
  preexec_functions=(${preexec_functions:#__tenacitty_preexec} __tenacitty_preexec)
  zshaddhistory_functions=(${zshaddhistory_functions:#__tenacitty_history} __tenacitty_history)
}
__tenacitty_hook

# Two keys that no keyboard has: the first parks what the user has typed so far, after anything parked earlier; the
# second restores all of it.
__tenacitty_park() {
  builtin typeset -g __tenacitty_point=$((${#__tenacitty_line} + CURSOR)) __tenacitty_line=$__tenacitty_line$BUFFER
  BUFFER=
  zle -K main
  # Redrawn before the mark is sent, so that a viewer sees an empty line.
  zle -R
  __tenacitty_mark "R;$$;${#__tenacitty_line}"
}
__tenacitty_unpark() {
  [[ -z $BUFFER ]] || __tenacitty_point=$((${#__tenacitty_line} + CURSOR))
  case $__tenacitty_point in ('' | *[^0123456789]* | ??????????*) __tenacitty_point=0 ;; esac
  BUFFER=$__tenacitty_line$BUFFER CURSOR=$__tenacitty_point
  __tenacitty_line=
}
builtin typeset -g __tenacitty_line=${__tenacitty_line-}
# A third key discards a terminal's reply that the querying program did not read.
__tenacitty_drop() {
  BUFFER=
  zle -K main
  zle -R
  __tenacitty_mark "R;$$;${#__tenacitty_line}"
}
# Ignores unknown keys, such as a terminal's replies: in vi mode, each of their bytes would be a command.
__tenacitty_skip() {
  builtin emulate -L zsh
  builtin local key=
  while (( KEYS_QUEUED_COUNT + PENDING > 0 )) && [[ "$key" != [@-~] ]]; do builtin read -rk 1 key; done
}
# A fourth key asks whether the integration is present, even within `vared`.
__tenacitty_answer() { __tenacitty_mark "P;$$" }
__tenacitty_keys() {
  builtin local map
  zle -N __tenacitty_answer
  zle -N __tenacitty_inline
  zle -N __tenacitty_park
  zle -N __tenacitty_unpark
  zle -N __tenacitty_drop
  zle -N __tenacitty_skip
  for map in emacs viins vicmd; do
    bindkey -M $map '\e[7717~' __tenacitty_park
    bindkey -M $map '\e[7718~' __tenacitty_unpark
    bindkey -M $map '\e[7719~' __tenacitty_answer
    bindkey -M $map '\e[7720~' __tenacitty_drop
    bindkey -M $map '\e[7721~' __tenacitty_inline
    bindkey -M $map '\e[' __tenacitty_skip
  done
}
[[ ! -o zle ]] || __tenacitty_keys 2>/dev/null

'builtin' 'setopt' "$__tenacitty_aliases"
__tenacitty_mark "I;$$;zsh;$ZSH_VERSION"
