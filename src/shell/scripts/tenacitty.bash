# Tells tenacitty where prompts and commands begin and end in this bash. Loaded again, it mends what is gone. Nothing is
# exported, and whatever it does leaves `$?` as it was. What anybody may have put into a variable is text to it: never a
# name, a number to count with or a command.
if \builtin shopt -q expand_aliases; then __tenacitty_aliases=-s; else __tenacitty_aliases=-u; fi
# Whoever has aliases in the place of builtins has them for what is typed, not for what this says.
\builtin shopt -u expand_aliases

# Nor may `set -a` have all this exported, functions too: it holds for what the user sets.
case $- in *a*) __tenacitty_exports=-a ;; *) __tenacitty_exports=+a ;; esac
\builtin set +a

# Runs what has the secret in it: no trace (`set -x`) may show that, wherever it goes (`BASH_XTRACEFD`, which cannot be put
# aside: bash closes what it names).
__tenacitty_untraced() {
  if [[ $- != *x* ]]; then
    "$@"
    builtin return
  fi
  builtin set +x
  "$@"
  __tenacitty_came=$?
  builtin set -x
  builtin return "$__tenacitty_came"
}
# One printf is one write to the terminal: nothing can come between.
__tenacitty_mark() { __tenacitty_untraced __tenacitty_say "$1"; } 2>/dev/null >/dev/tty
__tenacitty_say() { builtin printf '\e]7717;%s;%s\a' @NONCE@ "$1"; }

# Where no mark can carry it, it is asked of the system.
__tenacitty_place() {
  if [[ "$PWD" != *[[:cntrl:]]* ]] && ((${#PWD} <= 200)); then __tenacitty_here=$PWD; fi
} 2>/dev/null

# Whether a text is evaluated by what is to do it: a function may have the name `builtin`.
__tenacitty_evaluates() {
  __tenacitty_ran=
  builtin eval '__tenacitty_ran=0'
  [[ "$__tenacitty_ran" == 0 ]]
}
# Takes a text. Where the line editor is switched on or off within `eval`,
# bash drops what follows there and reads that from the terminal: this it does not do to a file.
__tenacitty_take() {
  IFS= builtin read -r -d '' __tenacitty_text <@DIRECTORY@/"$1"
  if [[ "$__tenacitty_text" == *[-+]o*@(emacs|vi)* ]]; then
    builtin printf -v __tenacitty_text '\\builtin . %q' @DIRECTORY@/"$1"
  fi
}
# The line of a command (see `commandLine`) evaluates `__tenacitty_text` where it stands, so that `declare` and `local`
# mean what they say; it has emptied it before, so that without this nothing is run. A number is run once, and none of
# which it cannot be said that it begins.
__tenacitty_c() {
  __tenacitty_text='not read by __tenacitty'
  if [[ "$1" != "${__tenacitty_last-}" ]] && __tenacitty_evaluates && __tenacitty_take "$1" &&
    [[ "$__tenacitty_text" != 'not read by __tenacitty' ]] && __tenacitty_mark "C;$1;$$"; then
    __tenacitty_last=$1 __tenacitty_is_ours=1
    # What is traced is the command, not what evaluates it.
    if [[ $- == *x* ]]; then
      builtin set +x
      __tenacitty_text="\\builtin set -x"$'\n'"$__tenacitty_text"
    fi
    # By this it says itself that it was evaluated; neither a trace nor a trap hears of it, and `$?` is as it was.
    __tenacitty_seen="__tenacitty_seen() { __tenacitty_ran=$1; }"
    case $__tenacitty_status in
      0 | *[!0123456789]*) ;;
      *) __tenacitty_seen+=";(\\builtin exit $__tenacitty_status) &>/dev/null&&[[ 1 ]]" ;;
    esac
    __tenacitty_text=$__tenacitty_seen$'\n'$__tenacitty_text
  else
    __tenacitty_text=
  fi
  builtin return "$__tenacitty_status"
}
__tenacitty_seen() { __tenacitty_ran=; }
# The line has noted in `__tenacitty_end` its number and status: without this, the hook tells them.
__tenacitty_d() {
  __tenacitty_status=${__tenacitty_end#*:} __tenacitty_ran= __tenacitty_said= __tenacitty_here=
  # Of what was not evaluated no status is known.
  __tenacitty_seen
  if [[ "$__tenacitty_ran" == "$1" ]]; then __tenacitty_said=$__tenacitty_status; fi
  __tenacitty_place
  # Whoever has emptied these has not meant ours.
  __tenacitty_hook
  __tenacitty_leave_out
  __tenacitty_mark "D;$1;$__tenacitty_said;$$;$__tenacitty_here"
  builtin return "$__tenacitty_status"
}

# For those who come next in a string; those in an array each have it from bash. A trap for failures would hear of it, and
# under `set -e` it would end the shell.
__tenacitty_give_back() {
  if [[ $- != *e* && ${#PROMPT_COMMAND[@]} == 1 ]]; then builtin return "$__tenacitty_status"; fi
}

# First and last of what is done before each prompt; of which a trace shows no more than the names.
__tenacitty_before() {
  __tenacitty_status=$? __tenacitty_ran= __tenacitty_here=
  __tenacitty_seen || [[ 1 ]]
  if [[ "${__tenacitty_end-}" != "$__tenacitty_ran":* ]]; then __tenacitty_end=${__tenacitty_end%%:*}:; fi
  case ${__tenacitty_turn-} in '' | 0* | *[!0123456789]* | ????????????*) __tenacitty_turn=0 ;; esac
  __tenacitty_turn=$((__tenacitty_turn + 1))
  __tenacitty_place
  __tenacitty_mark "D;h$__tenacitty_turn;$__tenacitty_status:$__tenacitty_end;$$;$__tenacitty_here"
  __tenacitty_give_back
} 2>/dev/null
__tenacitty_after() {
  __tenacitty_status=$?
  __tenacitty_untraced __tenacitty_dress
  __tenacitty_give_back
} 3>&2 2>/dev/null
__tenacitty_dress() {
  builtin local mark
  mark='\[\e]7717;'@NONCE@
  if [[ "${PS1-}" != *'7717;'@NONCE@';A'* ]]; then PS1="$mark;A;$$\a\]${PS1-}$mark;B;$$;\!\a\]"; fi
  if [[ "${PS2-}" != *'7717;'@NONCE@';F'* ]]; then PS2="$mark;F;$$\a\]${PS2-}"; fi
  if [[ "${PS0-}" != *'7717;'@NONCE@';C'* ]]; then __tenacitty_show_start; fi
  # A shell within this one must not pass for it.
  builtin export -n PS0 PS1 PS2
  if [[ -z "${__tenacitty_is_ours-}" || "${HISTCMD-}" != "${__tenacitty_noted_at-}" ]]; then
    __tenacitty_noted=() __tenacitty_noted_at=${HISTCMD-}
  fi
  __tenacitty_is_ours=
  __tenacitty_hook
  __tenacitty_leave_out
  # The prompt is sent elsewhere (`exec 2>file`): its marks are said beside it.
  if [[ ! -t 3 ]]; then __tenacitty_mark "A;$$" && __tenacitty_mark "B;$$"; fi
}
__tenacitty_show_start() {
  builtin local typed
  typed=
  # Lines of ours leave the history as it is: what it says is noted before the first of them, which takes a process. A
  # number in brackets is counted: it is made of digits alone, whatever the variable says.
  if builtin shopt -q promptvars; then
    typed='${__tenacitty_noted[1${HISTCMD//[!0123456789]/}]=$(__tenacitty_typed)}'
  fi
  PS0="$typed\e]7717;"@NONCE@";C;0;$$\a${PS0-}"
}
# What was typed, with its number in the history.
__tenacitty_typed() { HISTTIMEFORMAT= builtin history 1 >@DIRECTORY@/typed; } 2>/dev/null

# Others may have put themselves first, or themselves in place of all.
__tenacitty_hook() {
  if ((BASH_VERSINFO[0] > 5 || (BASH_VERSINFO[0] == 5 && BASH_VERSINFO[1] >= 1))); then
    if [[ "${PROMPT_COMMAND[0]-}" != __tenacitty_before ]]; then
      PROMPT_COMMAND=(__tenacitty_before "${PROMPT_COMMAND[@]}")
    fi
    if [[ "${PROMPT_COMMAND[*]: -1}" != __tenacitty_after ]]; then
      __tenacitty_hook_last
    fi
  elif [[ "${PROMPT_COMMAND-}" != __tenacitty_before*__tenacitty_after ]]; then
    PROMPT_COMMAND="__tenacitty_before${PROMPT_COMMAND:+;${PROMPT_COMMAND%;}};__tenacitty_after"
  fi
}
__tenacitty_hook_last() {
  builtin local command kept
  kept=()
  for command in "${PROMPT_COMMAND[@]}"; do
    if [[ "$command" != __tenacitty_after ]]; then kept+=("$command"); fi
  done
  PROMPT_COMMAND=("${kept[@]}" __tenacitty_after)
}
__tenacitty_hook

# The line of a command is not for the history of whoever works here, whatever they have it leave out.
__tenacitty_leave_out() {
  if [[ "${HISTIGNORE-}" != *'*__tenacitty_*'* ]]; then HISTIGNORE="${HISTIGNORE:+$HISTIGNORE:}*__tenacitty_*"; fi
}
__tenacitty_leave_out
# Neither is the line that loads this anew: when it was read, nothing was to be left out yet.
__tenacitty_forget() {
  builtin local last
  last=$(HISTTIMEFORMAT= builtin history 1) || builtin return 0
  if [[ "$last" == *"/tenacitty.bash'" && "$last" =~ ^\ *([0-9]+) ]]; then builtin history -d "${BASH_REMATCH[1]}"; fi
}
__tenacitty_forget 2>/dev/null

# Two keys that no keyboard has: the first puts by what somebody has typed so far, behind what is put by already; the
# second brings it all back.
__tenacitty_park() {
  __tenacitty_point=$((${#__tenacitty_line} + READLINE_POINT))
  __tenacitty_line+=$READLINE_LINE
  READLINE_LINE= READLINE_POINT=0
  __tenacitty_mark "R;$$;${#__tenacitty_line}"
}
__tenacitty_unpark() {
  if [[ -n "$READLINE_LINE" ]]; then __tenacitty_point=$((${#__tenacitty_line} + READLINE_POINT)); fi
  case ${__tenacitty_point-} in '' | *[!0123456789]* | ??????????*) __tenacitty_point=0 ;; esac
  READLINE_LINE=$__tenacitty_line$READLINE_LINE READLINE_POINT=$__tenacitty_point
  __tenacitty_line=
}
__tenacitty_line=${__tenacitty_line-}
# Another throws away what the terminal has answered to a program that did not read it.
__tenacitty_drop() {
  READLINE_LINE= READLINE_POINT=0
  __tenacitty_mark "R;$$;${#__tenacitty_line}"
}
# A third one asks whether all this is there, also within `read -e`.
__tenacitty_answer() { __tenacitty_mark "P;$$"; }
__tenacitty_keys() {
  builtin local map
  for map in emacs vi-insert vi-command; do builtin bind -m $map -x '"\e[7719~": __tenacitty_answer'; done
  for map in emacs vi-insert; do
    builtin bind -m "$map" -x '"\e[7717~": __tenacitty_park'
    builtin bind -m "$map" -x '"\e[7718~": __tenacitty_unpark'
    builtin bind -m "$map" -x '"\e[7720~": __tenacitty_drop'
  done
  # Keys that it does not know, as such answers look to it, do nothing: in vi mode each byte of them is a command.
  for map in emacs vi-insert vi-command; do builtin bind -m "$map" '"\e[": skip-csi-sequence'; done
  # What follows is text, no command of the editor's.
  builtin bind -m vi-command '"\e[7717~": "i\e[7717~"'
  builtin bind -m vi-command '"\e[7718~": "i\e[7718~"'
  builtin bind -m vi-command '"\e[7720~": "i\e[7720~"'
}
__tenacitty_keys 2>/dev/null

# What was loaded before may be exported by now.
builtin export -nf __tenacitty_say __tenacitty_dress __tenacitty_show_start
\builtin set "$__tenacitty_exports"
\builtin shopt "$__tenacitty_aliases" expand_aliases
__tenacitty_mark "I;$$;bash;$BASH_VERSION"
