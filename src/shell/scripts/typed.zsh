# Behind the rest where no file can be shared: commands are typed to this zsh, line by line as it asks for them, a dot
# at the end.
__tenacitty_c() {
  'builtin' 'emulate' -L zsh
  'builtin' 'setopt' no_err_exit no_err_return
  'builtin' 'local' line text=
  if [[ "$1" != "${__tenacitty_last-}" ]]; then
    while __tenacitty_mark "N;$1;$$" && IFS= 'builtin' 'read' -r line; do
      if [[ "$line" == . ]]; then
        __tenacitty_last=$1
        'builtin' 'printf' -v __tenacitty_text %b "$text"
        __tenacitty_mark "C;$1;$$"
        break
      fi
      text+=$line
    done
  fi
  [[ "$__tenacitty_status" == <0-255> ]] || __tenacitty_status=1
  'builtin' 'return' "$__tenacitty_status"
}
__tenacitty_preexec() { [[ "$1" == *'__tenacitty_c '* ]] || __tenacitty_mark "C;0;$$" }
