# Tells tenacitty where prompts and commands begin and end in this zsh. Loaded again, it mends what is gone. Nothing is
# exported, and whatever it does leaves `$?` as it was. `set -e` and `set -x` are for what the user does, not for this.
'builtin' 'typeset' -gi __tenacitty_turn __tenacitty_last
'builtin' 'typeset' -g __tenacitty_nonce=@NONCE@ __tenacitty_directory=@DIRECTORY@ __tenacitty_here

# One printf is one write to the terminal: nothing can come between.
__tenacitty_mark() { builtin printf '\e]7717;%s;%s\a' "$__tenacitty_nonce" "$1" 2>/dev/null >/dev/tty }

# Too long for a mark: then it is asked of the system.
__tenacitty_place() {
  __tenacitty_here=${PWD//[[:cntrl:]]/?}
  (( ${#PWD} <= 200 )) || __tenacitty_here=
}

# As in bash; but zsh reads a text of several lines at once unless it comes from a file: then an alias of the first line
# is known in the second.
__tenacitty_c() {
  builtin local last_status=$?
  builtin setopt local_options no_err_exit no_err_return
  if (( $1 > __tenacitty_last )); then
    builtin unset "__tenacitty_$__tenacitty_last"
    __tenacitty_last=$1
    builtin typeset -g "__tenacitty_$1"=
    IFS= builtin read -r -d '' "__tenacitty_$1" <"$__tenacitty_directory/$1"
    if [[ ${(P)${:-__tenacitty_$1}} == *$'\n'* ]]; then
      builtin typeset -g "__tenacitty_$1"=". ${(q)__tenacitty_directory}/$1"
    fi
    __tenacitty_mark "C;$1;$$"
  fi
  builtin return $last_status
}
__tenacitty_d() {
  builtin local last_status=$?
  builtin setopt local_options no_err_exit no_err_return
  __tenacitty_place
  __tenacitty_mark "D;$1;$last_status;$$;$__tenacitty_here"
  builtin return $last_status
}

__tenacitty_precmd() { { __tenacitty_ended || : } 2>/dev/null }
__tenacitty_ended() {
  builtin local last_status=$?
  builtin emulate -L zsh
  builtin setopt no_err_exit no_err_return
  (( ++__tenacitty_turn ))
  __tenacitty_place
  __tenacitty_mark "D;h$__tenacitty_turn;$last_status;$$;$__tenacitty_here"
  __tenacitty_wrap
  # Last of all: what themes have built is there by then.
  if [[ ${precmd_functions[-1]} != __tenacitty_precmd ]]; then
    precmd_functions=(${precmd_functions:#__tenacitty_precmd} __tenacitty_precmd)
  fi
  builtin return $last_status
}
__tenacitty_wrap() {
  builtin local mark=$'%{\e]7717;'$__tenacitty_nonce close=$'\a%}'
  if [[ "$PS1" != *"7717;$__tenacitty_nonce;A"* ]]; then
    # A lone % at the end would take in what follows.
    if [[ $PS1 == (*[^%]|)(%%)#% ]]; then PS1=$PS1%; fi
    PS1="$mark;A;$$$close$PS1$mark;B;$$$close"
  fi
  if [[ "$PS2" != *"7717;$__tenacitty_nonce;F"* ]]; then PS2="$mark;F;$$$close$PS2"; fi
  # A shell within this one must not pass for it.
  builtin typeset -g +x PS1 PS2
}
__tenacitty_preexec() { { __tenacitty_typed "$1" || : } 2>/dev/null }
__tenacitty_typed() {
  builtin setopt local_options no_err_exit no_err_return
  if [[ "$1" != *' __tenacitty_c '* ]]; then
    builtin print -r -- "$1" >|"$__tenacitty_directory/typed"
    __tenacitty_mark "C;0;$$"
  fi
}
# The line of a command is not for the history of whoever works here.
__tenacitty_history() { { builtin setopt local_options no_err_exit no_err_return; [[ "$1" != *'__tenacitty_'* ]] } 2>/dev/null }

'builtin' 'typeset' -ga precmd_functions preexec_functions zshaddhistory_functions
precmd_functions=(${precmd_functions:#__tenacitty_precmd} __tenacitty_precmd)
preexec_functions=(${preexec_functions:#__tenacitty_preexec} __tenacitty_preexec)
zshaddhistory_functions=(${zshaddhistory_functions:#__tenacitty_history} __tenacitty_history)

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
  BUFFER=$__tenacitty_line$BUFFER CURSOR=$__tenacitty_point
  __tenacitty_line=
}
builtin typeset -g __tenacitty_line=${__tenacitty_line-}
# A third one asks whether all this is there, also within `vared`.
__tenacitty_answer() { __tenacitty_mark "P;$$" }
__tenacitty_keys() {
  builtin local map
  zle -N __tenacitty_answer
  zle -N __tenacitty_park
  zle -N __tenacitty_unpark
  for map in emacs viins vicmd; do
    bindkey -M $map '\e[7717~' __tenacitty_park
    bindkey -M $map '\e[7718~' __tenacitty_unpark
    bindkey -M $map '\e[7719~' __tenacitty_answer
  done
}
[[ ! -o zle ]] || __tenacitty_keys 2>/dev/null

__tenacitty_mark "I;$$;zsh;$ZSH_VERSION"
