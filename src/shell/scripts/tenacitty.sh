# Tells tenacitty where prompts and commands begin and end in a POSIX shell (dash, the ash of busybox, mksh). These
# shells have no hooks, but they expand the prompt each time it is shown: it contains the mark of a command's end.
# Loading this again repairs what is missing. It exports nothing and leaves `$?` unchanged. Every command is written so
# that no alias can replace it, and no external program is needed. Values of variables, which anyone may have set, are
# treated as text only: never as a name, as a number in arithmetic, or as a command.
case $- in *a*) __tenacitty_exports=-a ;; *) __tenacitty_exports=+a ;; esac
\set +a
__tenacitty_turn=${__tenacitty_turn-0}

# One write: no other output can come in between. mksh writes with a different builtin. (Anyone may have set the
# variable that identifies it to something else.)
case ${KSH_VERSION-} in
  '@(#)'*)
    # mksh writes a trace wherever errors go; this command contains the secret.
    __tenacitty_mark() {
      case $- in
        *x*)
          \set +x
          \builtin print -nr -- @OPEN@@NONCE@";$1"@CLOSE@ >/dev/tty
          \set -x
          ;;
        *) \builtin print -nr -- @OPEN@@NONCE@";$1"@CLOSE@ >/dev/tty ;;
      esac
    } 2>/dev/null
    ;;
  *) __tenacitty_mark() { \command printf @OPEN@'%s;%s'@CLOSE@ @NONCE@ "$1" >/dev/tty; } 2>/dev/null ;;
esac

# As in bash. The file contains `__tenacitty_text='…'`.
__tenacitty_c() {
  case $1 in
    "${__tenacitty_last-}") ;;
    *)
      \. @DIRECTORY@/"$1"
      __tenacitty_prepare "$1"
      if __tenacitty_mark "C;$1;$$"; then
        __tenacitty_last=$1
        \eval "__tenacitty_is_$1=1"
      else
        __tenacitty_text=
      fi
      ;;
  esac
  \return "$__tenacitty_status"
}
__tenacitty_prepare() {
  # The trace must show the command, not the code that evaluates it.
  case $- in
    *x*)
      \set +x
      __tenacitty_text="\set -x
$__tenacitty_text"
      ;;
  esac
  # The text itself records that it is evaluated: mksh evaluates none after `set -n`. `$?` and `$_` are
  # unchanged, and so are the numbers of the lines.
  __tenacitty_text="__tenacitty_ran_$1=1;{ __tenacitty_give_back \"\${_-}\";} 2>/dev/null&&__tenacitty_yes=;$__tenacitty_text"
}
__tenacitty_give_back() { \return "$__tenacitty_status"; }
# The line has stored its number and status in `__tenacitty_end`: if this function is missing, the prompt reports them.
# A line that was changed before it ran has stored neither, and a line whose text was not evaluated has stored no
# status.
__tenacitty_d() {
  __tenacitty_status=
  case ${__tenacitty_end-} in "$1":*) __tenacitty_status=${__tenacitty_end#*:} ;; esac
  __tenacitty_ended "$1" "$__tenacitty_status"
  \unset "__tenacitty_is_$1" "__tenacitty_ran_$1"
  \return "${__tenacitty_status:-1}"
}
__tenacitty_ended() {
  # If a mark cannot carry the directory, or PWD is not its name, tenacitty asks the system for it.
  __tenacitty_here=
  if \command test "$PWD" -ef .; then __tenacitty_here=${PWD##*[[:cntrl:]]*}; fi
  case ${#__tenacitty_here} in
    ? | ?? | 1??) ;;
    *) __tenacitty_here= ;;
  esac
  __tenacitty_mark "D;$1;$2;$$;$__tenacitty_here"
}

# If the prompt goes elsewhere (`exec 2>file`), writes its marks to the terminal directly. Descriptor 3 is where the
# prompt is shown. Without its line editor, mksh reads at its prompt as its `read` does.
__tenacitty_beside() {
  __tenacitty_status=$?
  case ${KSH_VERSION-} in
    '@(#)'*) if ! \command test -o emacs -o -o gmacs -o -o vi; then __tenacitty_mark "E;$$"; fi ;;
  esac
  if \command test -t 3; then \return; fi
  __tenacitty_ended "h$__tenacitty_turn" "$__tenacitty_status:${__tenacitty_end-}"
  __tenacitty_mark "A;$$"
  __tenacitty_mark "B;$$"
}
__tenacitty_shown='3>&2'
# busybox writes its prompt to standard output, not to standard error.
case $(\command readlink "/proc/$$/exe" 2>/dev/null) in */busybox*) __tenacitty_shown="3</proc/$$/fd/1" ;; esac

__tenacitty_wrap() {
  __tenacitty_ps1=${PS1-\$ } __tenacitty_ps2=${PS2-> }
  # Strips the marks of an outer shell, or of this process when it was integrated as another shell.
  case $__tenacitty_ps1 in *7717*) __tenacitty_ps1=${__tenacitty_ps1#*';A;$$'@CLOSE@} ;; esac
  case $__tenacitty_ps2 in *7717*) __tenacitty_ps2=${__tenacitty_ps2#*@CLOSE@} ;; esac
  __tenacitty_ps1=${__tenacitty_ps1%%@OPEN@*}
  # PS1 may be exported: programs do not find the secret in it, and each nested shell expands its own `$$`. A turn that
  # is not a number counts as none. mksh turns `!!` into `!`, and a single `!` into the history number.
  PS1=@OPEN@'${__tenacitty_nonce-};D;h$((__tenacitty_turn=${__tenacitty_turn##*[!!0123456789]*}+1));$?:${__tenacitty_end-};$$;${PWD##*[[:cntrl:]]*}'@CLOSE@
  PS1="$PS1"@OPEN@'${__tenacitty_nonce-};A;$$'@CLOSE@"$__tenacitty_ps1"@OPEN@'${__tenacitty_nonce-}'
  # Inside the mark, so that none of this is visible where the prompt is printed unexpanded (`env`).
  PS1="$PS1;B;"'$$$({ __tenacitty_beside; } '"$__tenacitty_shown 2>/dev/null)"@CLOSE@
  case ${KSH_VERSION-} in
    '@(#)'*)
      # mksh does not expand PS2. Removes the export attribute.
      \unset PS2
      PS2=@OPEN@@NONCE@";F;$$"@CLOSE@"$__tenacitty_ps2"
      ;;
    *) PS2=@OPEN@'${__tenacitty_nonce-};F;$$'@CLOSE@"$__tenacitty_ps2" ;;
  esac
}
case ${__tenacitty_wrapped-}${PS1-} in
  "$$"*'${__tenacitty_nonce-}'*) ;;
  *) __tenacitty_wrap ;;
esac
__tenacitty_wrapped=$$
\unset __tenacitty_nonce
__tenacitty_nonce=@NONCE@

\set "$__tenacitty_exports"
__tenacitty_mark "I;$$;sh;"
