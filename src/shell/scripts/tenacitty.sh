# Tells tenacitty where prompts and commands begin and end in a POSIX shell (dash, the ash of busybox, mksh). These have
# no hooks, but the prompt is expanded each time it is shown: the mark of a command's end stands in it. Loaded again, it
# mends what is gone. Nothing is exported, and whatever it does leaves `$?` as it was. No command is written so that an
# alias could take its place, and no program is needed; what anybody may have put into a variable is text to it: never a
# name, a number to count with or a command.
case $- in *a*) __tenacitty_exports=-a ;; *) __tenacitty_exports=+a ;; esac
\set +a
__tenacitty_turn=${__tenacitty_turn-0}

# One write: nothing can come between. mksh has another word for it than the rest.
case ${KSH_VERSION-} in
  '') __tenacitty_mark() { \command printf @OPEN@'%s;%s'@CLOSE@ @NONCE@ "$1" >/dev/tty; } 2>/dev/null ;;
  *)
    # What it traces it shows wherever errors go; this has the secret in it.
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
esac

# As in bash. The file says `__tenacitty_text='…'`.
__tenacitty_c() {
  case $1 in
    "${__tenacitty_last-}") ;;
    *)
      \. @DIRECTORY@/"$1"
      # What is traced is the command, not what evaluates it.
      case $- in
        *x*)
          \set +x
          __tenacitty_text="\set -x
$__tenacitty_text"
          ;;
      esac
      if __tenacitty_mark "C;$1;$$"; then __tenacitty_last=$1; else __tenacitty_text=; fi
      ;;
  esac
  \return "$__tenacitty_status"
}
# The line has noted in `__tenacitty_end` its number and status: without this, the prompt tells them.
__tenacitty_d() {
  __tenacitty_status=${__tenacitty_end#*:}
  __tenacitty_ended "$1" "$__tenacitty_status"
  \return "$__tenacitty_status"
}
__tenacitty_ended() {
  # Where no mark can carry it, it is asked of the system.
  __tenacitty_here=${PWD##*[[:cntrl:]]*}
  case ${#__tenacitty_here} in
    ? | ?? | 1??) ;;
    *) __tenacitty_here= ;;
  esac
  __tenacitty_mark "D;$1;$2;$$;$__tenacitty_here"
}

# Where the prompt is sent elsewhere (`exec 2>file`), its marks are said beside it. 3: where it is shown.
__tenacitty_beside() {
  __tenacitty_status=$?
  if \command test -t 3; then \return; fi
  __tenacitty_ended "h$__tenacitty_turn" "$__tenacitty_status:${__tenacitty_end-}"
  __tenacitty_mark "A;$$"
  __tenacitty_mark "B;$$"
}
__tenacitty_shown='3>&2'
# Its prompt is no error, but output.
case $(\command readlink "/proc/$$/exe" 2>/dev/null) in */busybox*) __tenacitty_shown="3</proc/$$/fd/1" ;; esac

__tenacitty_wrap() {
  __tenacitty_ps1=${PS1-\$ } __tenacitty_ps2=${PS2-> }
  # That of a shell around this one, or of one that was followed as another.
  case $__tenacitty_ps1 in *7717*) __tenacitty_ps1=${__tenacitty_ps1#*';A;$$'@CLOSE@} ;; esac
  case $__tenacitty_ps2 in *7717*) __tenacitty_ps2=${__tenacitty_ps2#*@CLOSE@} ;; esac
  __tenacitty_ps1=${__tenacitty_ps1%%@OPEN@*}
  # It may be exported: programs do not find the secret in it, and each shell within this one says its own `$$`. What is no
  # number counts as none; mksh makes one `!` of the two, and of one by itself the number of the line.
  PS1=@OPEN@'${__tenacitty_nonce-};D;h$((__tenacitty_turn=${__tenacitty_turn##*[!!0123456789]*}+1));$?:${__tenacitty_end-};$$;${PWD##*[[:cntrl:]]*}'@CLOSE@
  PS1="$PS1"@OPEN@'${__tenacitty_nonce-};A;$$'@CLOSE@"$__tenacitty_ps1"@OPEN@'${__tenacitty_nonce-}'
  # Within the mark, so that where the prompt is shown as it stands (`env`), nothing of this is.
  PS1="$PS1;B;"'$$$({ __tenacitty_beside; } '"$__tenacitty_shown 2>/dev/null)"@CLOSE@
  # mksh does not expand this one.
  case ${KSH_VERSION-} in
    '') PS2=@OPEN@'${__tenacitty_nonce-};F;$$'@CLOSE@"$__tenacitty_ps2" ;;
    *)
      # By this it is exported no more.
      \unset PS2
      PS2=@OPEN@@NONCE@";F;$$"@CLOSE@"$__tenacitty_ps2"
      ;;
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
