# Tells tenacitty where prompts and commands begin and end in a POSIX shell (dash, the ash of busybox, mksh). These have
# no hooks, but the prompt is expanded each time it is shown: the mark of a command's end stands in it. Loaded again, it
# mends what is gone. Nothing is exported, and whatever it does leaves `$?` as it was.
__tenacitty_nonce=@NONCE@ __tenacitty_directory=@DIRECTORY@ __tenacitty_turn=${__tenacitty_turn-0}

__tenacitty_mark() { printf '\033]7717;%s;%s\007' "$__tenacitty_nonce" "$1" >/dev/tty; } 2>/dev/null

# As in bash.
__tenacitty_c() {
  __tenacitty_status=$?
  if [ "$1" -gt "${__tenacitty_last-0}" ]; then
    unset "__tenacitty_${__tenacitty_last-0}"
    __tenacitty_last=$1
    eval "__tenacitty_$1=\$(cat \"\$__tenacitty_directory/\$1\")"
    __tenacitty_mark "C;$1;$$"
  fi
  return $__tenacitty_status
}
__tenacitty_d() {
  __tenacitty_status=$?
  __tenacitty_ended "$1"
  return $__tenacitty_status
}
__tenacitty_ended() {
  # Too long for a mark: then it is asked of the system.
  if [ ${#PWD} -gt 200 ]; then __tenacitty_here=; else __tenacitty_here=$PWD; fi
  __tenacitty_mark "D;$1;$__tenacitty_status;$$;$__tenacitty_here"
}

# Where the prompt is sent elsewhere (`exec 2>file`), its marks are said beside it. 3: where it is shown.
__tenacitty_beside() {
  __tenacitty_status=$?
  if [ -t 3 ]; then return; fi
  __tenacitty_ended "h$__tenacitty_turn"
  __tenacitty_mark "A;$$"
  __tenacitty_mark "B;$$"
}
__tenacitty_shown='3>&2'
# Its prompt is no error, but output.
case $(readlink "/proc/$$/exe" 2>/dev/null) in */busybox*) __tenacitty_shown="3</proc/$$/fd/1" ;; esac

__tenacitty_wrap() {
  case ${PS1-} in *7717*) ;; *) __tenacitty_ps1=${PS1-\$ } ;; esac
  case ${PS2-} in *7717*) ;; *) __tenacitty_ps2=${PS2-> } ;; esac
  __tenacitty_open="$(printf '\033]7717;')$__tenacitty_nonce" __tenacitty_close=$(printf '\007')
  # It may be exported: each shell within this one says its own `$$`.
  PS1="$__tenacitty_open"';D;h$((__tenacitty_turn=__tenacitty_turn+1));$?;$$;$PWD'"$__tenacitty_close"
  PS1="$PS1$__tenacitty_open"';A;$$'"$__tenacitty_close$__tenacitty_ps1$__tenacitty_open"
  # Within the mark, so that where the prompt is shown as it stands (`env`), nothing of this is.
  PS1="$PS1;B;"'$$$({ __tenacitty_beside; } '"$__tenacitty_shown 2>/dev/null)$__tenacitty_close"
  # mksh does not expand this one.
  __tenacitty_shell='$$'
  if [ -n "${KSH_VERSION-}" ]; then __tenacitty_shell=$$; fi
  PS2="$__tenacitty_open;F;$__tenacitty_shell$__tenacitty_close$__tenacitty_ps2"
}
__tenacitty_wrap

__tenacitty_mark "I;$$;sh;"
