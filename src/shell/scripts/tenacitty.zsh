# Tells tenacitty where prompts and commands begin and end in this zsh. Loaded again, it mends what is gone. Nothing is
# exported, and whatever it does leaves `$?` as it was. `set -e` and `set -x` are for what the user does, not for this.
# What anybody may have put into a variable is text to it: never a name, a number to count with or a command.
if [[ -o aliases ]] { __tenacitty_aliases=aliases } else { __tenacitty_aliases=no_aliases }
# Whoever has aliases in the place of builtins has them for what is typed, not for what this says.
'builtin' 'setopt' no_aliases
'builtin' 'typeset' -g +x __tenacitty_turn="${__tenacitty_turn-}" __tenacitty_last="${__tenacitty_last-}"
'builtin' 'typeset' -g +x __tenacitty_status="${__tenacitty_status-}" __tenacitty_ran= __tenacitty_end=

# One printf is one write to the terminal: nothing can come between.
__tenacitty_mark() { builtin printf '\e]7717;%s;%s\a' @NONCE@ "$1" 2>/dev/null >/dev/tty }

# Where no mark can carry it, it is asked of the system.
__tenacitty_place() {
  if [[ "$PWD" != *[[:cntrl:]]* ]] && (( ${#PWD} <= 200 )); then __tenacitty_here=$PWD; fi
}

# As in bash; but zsh tells by itself whether a function has the name.
__tenacitty_evaluates() {
  __tenacitty_ran=
  if (( ! ${+functions[builtin]} )); then builtin eval '__tenacitty_ran=0'; fi
  [[ "$__tenacitty_ran" == 0 ]]
}
# zsh reads a text of several lines at once unless it comes from a file: then an alias of the first line is known in the
# second.
__tenacitty_take() {
  IFS= builtin read -r -d '' __tenacitty_text <@DIRECTORY@/"$1"
  if [[ "$__tenacitty_text" == *$'\n'* ]]; then __tenacitty_text='\builtin . '${(qq)${:-@DIRECTORY@/$1}}; fi
}
__tenacitty_c() {
  builtin emulate -L zsh
  builtin setopt no_err_exit no_err_return
  builtin typeset -g __tenacitty_text=@NONCE@
  if [[ "$1" != "$__tenacitty_last" ]] && __tenacitty_evaluates && __tenacitty_take "$1" &&
    [[ "$__tenacitty_text" != @NONCE@ ]] && __tenacitty_mark "C;$1;$$"; then
    builtin typeset -g __tenacitty_last=$1
  else
    __tenacitty_text=
  fi
  # A status is counted.
  [[ "$__tenacitty_status" == <0-255> ]] || __tenacitty_status=1
  builtin return "$__tenacitty_status"
}
__tenacitty_d() {
  __tenacitty_status=${__tenacitty_end#*:}
  builtin emulate -L zsh
  builtin setopt no_err_exit no_err_return
  builtin typeset -g __tenacitty_here=
  __tenacitty_place
  __tenacitty_hook
  __tenacitty_mark "D;$1;$__tenacitty_status;$$;$__tenacitty_here"
  builtin return "$__tenacitty_status"
}

__tenacitty_precmd() { { __tenacitty_ended || : } 2>/dev/null }
__tenacitty_ended() {
  __tenacitty_status=$?
  builtin emulate -L zsh
  builtin setopt no_err_exit no_err_return
  case $__tenacitty_turn in ('' | 0* | *[^0123456789]* | ????????????*) __tenacitty_turn=0 ;; esac
  __tenacitty_turn=$(( __tenacitty_turn + 1 ))
  builtin typeset -g __tenacitty_here=
  __tenacitty_place
  __tenacitty_mark "D;h$__tenacitty_turn;$__tenacitty_status:$__tenacitty_end;$$;$__tenacitty_here"
  __tenacitty_wrap
  __tenacitty_hook
  builtin return "$__tenacitty_status"
}
__tenacitty_wrap() {
  builtin local mark=$'%{\e]7717;'@NONCE@ close=$'\a%}'
  if [[ "$PS1" != *'7717;'@NONCE@';A'* ]]; then
    # A lone % at the end would take in what follows.
    if [[ $PS1 == (*[^%]|)(%%)#% ]]; then PS1=$PS1%; fi
    PS1="$mark;A;$$$close$PS1$mark;B;$$$close"
  fi
  if [[ "$PS2" != *'7717;'@NONCE@';F'* ]]; then PS2="$mark;F;$$$close$PS2"; fi
  # A shell within this one must not pass for it.
  builtin typeset -g +x PS1 PS2
}
__tenacitty_preexec() { { __tenacitty_typed "$1" || : } 2>/dev/null }
__tenacitty_typed() {
  builtin setopt local_options no_err_exit no_err_return
  if [[ "$1" != *'__tenacitty_c '* ]]; then
    builtin print -r -- "$1" >|@DIRECTORY@/typed
    __tenacitty_mark "C;0;$$"
  fi
}
# The line of a command is not for the history of whoever works here.
__tenacitty_history() { { builtin setopt local_options no_err_exit no_err_return; [[ "$1" != *'__tenacitty_'* ]] } 2>/dev/null }

# Last of all before a prompt: what themes have built is there by then. Whoever has emptied the others has not meant these.
__tenacitty_hook() {
  builtin typeset -ga precmd_functions preexec_functions zshaddhistory_functions
  precmd_functions=(${precmd_functions:#__tenacitty_precmd} __tenacitty_precmd)
  preexec_functions=(${preexec_functions:#__tenacitty_preexec} __tenacitty_preexec)
  zshaddhistory_functions=(${zshaddhistory_functions:#__tenacitty_history} __tenacitty_history)
}
__tenacitty_hook

# Two keys that no keyboard has: the first puts by what somebody has typed so far, behind what is put by already; the
# second brings it all back.
__tenacitty_park() {
  builtin typeset -g __tenacitty_point=$((${#__tenacitty_line} + CURSOR)) __tenacitty_line=$__tenacitty_line$BUFFER
  BUFFER=
  zle -K main
  # Drawn before it is told, so that whoever looks sees an empty line.
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
# Another throws away what the terminal has answered to a program that did not read it.
__tenacitty_drop() {
  BUFFER=
  zle -K main
  zle -R
  __tenacitty_mark "R;$$;${#__tenacitty_line}"
}
# Keys that it does not know, as such answers look to it, do nothing: in vi mode each byte of them is a command.
__tenacitty_skip() {
  builtin emulate -L zsh
  builtin local key=
  while (( KEYS_QUEUED_COUNT + PENDING > 0 )) && [[ "$key" != [@-~] ]]; do builtin read -rk 1 key; done
}
# A third one asks whether all this is there, also within `vared`.
__tenacitty_answer() { __tenacitty_mark "P;$$" }
__tenacitty_keys() {
  builtin local map
  zle -N __tenacitty_answer
  zle -N __tenacitty_park
  zle -N __tenacitty_unpark
  zle -N __tenacitty_drop
  zle -N __tenacitty_skip
  for map in emacs viins vicmd; do
    bindkey -M $map '\e[7717~' __tenacitty_park
    bindkey -M $map '\e[7718~' __tenacitty_unpark
    bindkey -M $map '\e[7719~' __tenacitty_answer
    bindkey -M $map '\e[7720~' __tenacitty_drop
    bindkey -M $map '\e[' __tenacitty_skip
  done
}
[[ ! -o zle ]] || __tenacitty_keys 2>/dev/null

'builtin' 'setopt' "$__tenacitty_aliases"
__tenacitty_mark "I;$$;zsh;$ZSH_VERSION"
