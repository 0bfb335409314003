# Tells tenacitty where prompts and commands begin and end in this bash. Loading it again repairs what is missing. It
# exports nothing and leaves `$?` unchanged. Values of variables, which anyone may have set, are treated as text only:
# never as a name, as a number in arithmetic, or as a command.
if \builtin shopt -q expand_aliases; then __tenacitty_aliases=-s; else __tenacitty_aliases=-u; fi
# Users' aliases for builtins apply to what they type, not to this script.
\builtin shopt -u expand_aliases

# `set -a` applies to what the user sets; it must not export these variables and functions.
case $- in *a*) __tenacitty_exports=-a ;; *) __tenacitty_exports=+a ;; esac
\builtin set +a

# Runs a command that contains the secret without showing it in a trace (`set -x`), wherever the trace goes.
# (`BASH_XTRACEFD` cannot be set aside, because bash closes the descriptor that it names.)
__tenacitty_untraced() {
  if [[ $- != *x* ]]; then
    "$@"
  else
    builtin set +x
    "$@"
    __tenacitty_came=$?
    builtin set -x
    # Does not use `return`, which a user may have disabled.
    [[ "$__tenacitty_came" == 0 ]]
  fi
}
# One printf is one write to the terminal: no other output can come in between.
__tenacitty_mark() { __tenacitty_untraced __tenacitty_say "$1"; } 2>/dev/null
__tenacitty_say() { builtin printf '\e]7717;%s;%s\a' @NONCE@ "$1" >/dev/tty; }

# If a mark cannot carry the directory, or PWD is not its name, tenacitty asks the system for it.
__tenacitty_place() {
  if [[ "$PWD" -ef . && "$PWD" != *[[:cntrl:]]* ]] && ((${#PWD} <= 200)); then __tenacitty_here=$PWD; fi
} 2>/dev/null

# Whether `builtin eval` really evaluates a text: a function may be named `builtin`.
__tenacitty_evaluates() {
  __tenacitty_ran=
  builtin eval '__tenacitty_ran=0'
  [[ "$__tenacitty_ran" == 0 ]]
}
# Reads a text. If a text switches the line editor off within `eval`, bash drops the rest of the text and reads from the
# terminal instead. It does not do this in a sourced file, but some words have another meaning there.
__tenacitty_take() {
  IFS= builtin read -r -d '' __tenacitty_text <@DIRECTORY@/"$1"
  if [[ "$__tenacitty_text" == *+o*@(emacs|vi)* && "$__tenacitty_text" != *@(return|BASH_SOURCE|caller)* && $- != *T* ]]; then
    builtin printf -v __tenacitty_text '\\builtin . %q' @DIRECTORY@/"$1"
  fi
}
# The line of a command (see `commandLine`) evaluates `__tenacitty_text` at the top level, so that `declare` and `local`
# work as expected. The line requires `__tenacitty_is_` with its number, so that nothing runs if this function is
# missing or was not called. A number runs only once, and only if its start can be reported. The line consists of
# groups, because an alias may give any meaning to `{`.
__tenacitty_c() {
  __tenacitty_text='not read by __tenacitty'
  if [[ "$1" != "${__tenacitty_last-}" ]] && ! builtin alias '{' && __tenacitty_evaluates && __tenacitty_take "$1" &&
    [[ "$__tenacitty_text" != 'not read by __tenacitty' ]] && __tenacitty_mark "C;$1;$$"; then
    __tenacitty_last=$1 __tenacitty_is_ours=1
    builtin printf -v "__tenacitty_is_$1" 1
    # The trace, and `set -v`, must show the command, not the code that evaluates it.
    if [[ $- == *x* ]]; then
      builtin set +x
      __tenacitty_text="\\builtin set -x"$'\n'"$__tenacitty_text"
    fi
    if [[ $- == *v* ]]; then
      builtin set +v
      __tenacitty_text="\\builtin set -v"$'\n'"$__tenacitty_text"
    fi
    # The text itself records that it was evaluated. Neither a trace nor a trap shows this, and `$?` is unchanged.
    case $__tenacitty_status in '' | *[!0123456789]*) __tenacitty_status=0 ;; esac
    __tenacitty_seen="__tenacitty_seen() { __tenacitty_ran=$1; \\builtin return $__tenacitty_status; }"
    if [[ "$__tenacitty_status" != 0 ]]; then __tenacitty_seen+=';{ __tenacitty_seen;} &>/dev/null&&__tenacitty_yes='; fi
    __tenacitty_text=$__tenacitty_seen$'\n'$__tenacitty_text
  else
    __tenacitty_text=
  fi
  builtin return "$__tenacitty_status"
}
__tenacitty_seen() { __tenacitty_ran=; }
# The line has stored its number and status in `__tenacitty_end`: if this function is missing, the hook reports them.
__tenacitty_d() {
  __tenacitty_status=${__tenacitty_end#*:} __tenacitty_ran= __tenacitty_said= __tenacitty_here=
  # A text that was not evaluated has no known status.
  __tenacitty_seen || [[ 1 ]]
  # Nor does a line that was changed before it ran (`histchars`), because it has not stored its number.
  if [[ "$__tenacitty_ran" == "$1" && "$__tenacitty_end" == "$1":* ]]; then __tenacitty_said=$__tenacitty_status; fi
  __tenacitty_place
  # A user who emptied PROMPT_COMMAND or HISTIGNORE did not mean to remove our entries.
  __tenacitty_hook
  __tenacitty_leave_out
  __tenacitty_mark "D;$1;$__tenacitty_said;$$;$__tenacitty_here"
  builtin unset -v "__tenacitty_is_$1"
  builtin return "$__tenacitty_status"
}

# Restores `$?` for the commands that follow in a PROMPT_COMMAND string; bash itself does so for the elements of an
# array. It is not restored otherwise, because an ERR trap would run, and `set -e` would end the shell.
__tenacitty_give_back() {
  if [[ $- != *e* && ${#PROMPT_COMMAND[@]} == 1 ]]; then builtin return "$__tenacitty_status"; fi
}

# The first and the last function that run before each prompt; a trace shows only their names.
__tenacitty_before() {
  __tenacitty_status=$? __tenacitty_ran= __tenacitty_here=
  __tenacitty_seen || [[ 1 ]]
  if [[ "${__tenacitty_end-}" != "$__tenacitty_ran":* ]]; then __tenacitty_end=${__tenacitty_end%%:*}:; fi
  case ${__tenacitty_turn-} in '' | 0* | *[!0123456789]* | ????????????*) __tenacitty_turn=0 ;; esac
  __tenacitty_turn=$((__tenacitty_turn + 1))
  __tenacitty_place
  __tenacitty_mark "D;h$__tenacitty_turn;$__tenacitty_status:$__tenacitty_end;$$;$__tenacitty_here"
  __tenacitty_give_back
  builtin return
} &>/dev/null
__tenacitty_after() {
  __tenacitty_status=$?
  __tenacitty_untraced __tenacitty_dress
  __tenacitty_give_back
  builtin return
} 3>&2 &>/dev/null
__tenacitty_dress() {
  __tenacitty_prompts
  if [[ -z "${__tenacitty_is_ours-}" || "${HISTCMD-}" != "${__tenacitty_noted_at-}" ]]; then
    __tenacitty_noted=() __tenacitty_noted_at=${HISTCMD-}
  fi
  __tenacitty_is_ours=
  __tenacitty_hook
  __tenacitty_leave_out
  # The editor may show its mode before the prompt.
  __tenacitty_mark "A;$$"
  # The prompt goes elsewhere (`exec 2>file`), or takes no marks: write this one to the terminal directly.
  if [[ ! -t 3 || "${PS1-}" != *'7717;'@NONCE@';B'* ]]; then __tenacitty_mark "B;$$"; fi
}
# Whether a variable can be assigned to: some users make theirs read-only.
__tenacitty_may() { builtin printf -v "$1" %s "${!1-}"; } 2>/dev/null
__tenacitty_prompts() {
  builtin local mark
  mark='\[\e]7717;'@NONCE@
  if [[ "${PS1-}" != *'7717;'@NONCE@';A'* ]] && __tenacitty_may PS1; then
    PS1="$mark;A;$$\a\]${PS1-}$mark;B;$$;\!\a\]"
  fi
  if [[ "${PS2-}" != *'7717;'@NONCE@';F'* ]] && __tenacitty_may PS2; then PS2="$mark;F;$$\a\]${PS2-}"; fi
  if __tenacitty_may PS0; then __tenacitty_show_start; fi
  # A nested shell must not be mistaken for this one.
  builtin export -n PS0 PS1 PS2
}
__tenacitty_show_start() {
  builtin local typed ps0
  # Our lines leave the history unchanged: its newest entry is recorded before the first of them, which takes a process.
  # An array subscript is evaluated as arithmetic: it is built from digits only, whatever the variable contains.
  typed='${__tenacitty_noted[1${HISTCMD//[!0123456789]/}]=$(__tenacitty_typed)}'
  ps0=${PS0-}
  ps0=${ps0/"$typed"}
  if [[ "$ps0" != *'7717;'@NONCE@';C'* ]]; then ps0="\e]7717;"@NONCE@";C;0;$$\a$ps0"; fi
  # Without this option, it would be shown unexpanded.
  if builtin shopt -q promptvars; then ps0=$typed$ps0; fi
  if [[ "$ps0" != "${PS0-}" ]]; then PS0=$ps0; fi
}
# Records what was typed, with its history number. Runs in a process of its own, so that nothing restores the trace.
__tenacitty_typed() { builtin set +x; HISTTIMEFORMAT= builtin history 1 >@DIRECTORY@/typed; } 2>/dev/null

# Other hooks may have put themselves first, or replaced all hooks.
__tenacitty_hook() {
  if ! __tenacitty_may PROMPT_COMMAND; then
    # Without hooks, the marks in the prompt must suffice.
    __tenacitty_untraced __tenacitty_prompts
  elif ((BASH_VERSINFO[0] > 5 || (BASH_VERSINFO[0] == 5 && BASH_VERSINFO[1] >= 1))); then
    # A user who assigns to the name replaces only its first element, but means all of them.
    if [[ "${PROMPT_COMMAND[*]}" != *__tenacitty_before* && "${PROMPT_COMMAND[*]: -1}" == __tenacitty_after ]]; then
      PROMPT_COMMAND=("${PROMPT_COMMAND[0]-}")
    fi
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

# The line of a command stays out of the user's history, in addition to what the user excludes.
__tenacitty_leave_out() {
  if [[ "${HISTIGNORE-}" != *'*__tenacitty_*'* ]] && __tenacitty_may HISTIGNORE; then
    HISTIGNORE="${HISTIGNORE:+$HISTIGNORE:}*__tenacitty_*"
  fi
}
__tenacitty_leave_out
# So does the line that loads this script again: when it was read, nothing was excluded yet.
__tenacitty_forget() {
  builtin local last
  last=$(HISTTIMEFORMAT= builtin history 1) || builtin return 0
  if [[ "$last" == *"/tenacitty.bash'" && "$last" =~ ^\ *([0-9]+) ]]; then builtin history -d "${BASH_REMATCH[1]}"; fi
}
__tenacitty_forget 2>/dev/null

# Two keys that no keyboard has: the first parks what the user has typed so far, after anything parked earlier; the
# second restores all of it.
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
# A third key discards a terminal's reply that the querying program did not read.
__tenacitty_drop() {
  READLINE_LINE= READLINE_POINT=0
  __tenacitty_mark "R;$$;${#__tenacitty_line}"
}
# A fourth key asks whether the integration is present, even within `read -e`.
__tenacitty_answer() { __tenacitty_mark "P;$$"; }
__tenacitty_keys() {
  builtin local map
  for map in emacs vi-insert vi-command; do builtin bind -m $map -x '"\e[7719~": __tenacitty_answer'; done
  for map in emacs vi-insert; do
    builtin bind -m "$map" -x '"\e[7717~": __tenacitty_park'
    builtin bind -m "$map" -x '"\e[7718~": __tenacitty_unpark'
    builtin bind -m "$map" -x '"\e[7720~": __tenacitty_drop'
  done
  # Ignores unknown keys, such as a terminal's replies: in vi mode, each of their bytes would be a command.
  for map in emacs vi-insert vi-command; do builtin bind -m "$map" '"\e[": skip-csi-sequence'; done
  # The bytes that follow are text, not commands of the editor.
  builtin bind -m vi-command '"\e[7717~": "i\e[7717~"'
  builtin bind -m vi-command '"\e[7718~": "i\e[7718~"'
  builtin bind -m vi-command '"\e[7720~": "i\e[7720~"'
}
__tenacitty_keys 2>/dev/null

# Definitions from an earlier load may have been exported since.
builtin export -nf __tenacitty_say __tenacitty_dress __tenacitty_prompts __tenacitty_show_start
\builtin set "$__tenacitty_exports"
\builtin shopt "$__tenacitty_aliases" expand_aliases
__tenacitty_mark "I;$$;bash;$BASH_VERSION"
