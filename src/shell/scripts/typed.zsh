# Behind the rest where no file can be shared: commands are typed to this zsh, line by line as it asks for them, a dot
# at the end.
__tenacitty_c() {
  builtin local last_status=$? line text=
  if (( $1 > __tenacitty_last )); then
    builtin unset "__tenacitty_$__tenacitty_last"
    while __tenacitty_mark "N;$1;$$" && IFS= builtin read -r line; do
      if [[ "$line" == . ]]; then
        __tenacitty_last=$1
        builtin typeset -g "__tenacitty_$1"=
        builtin printf -v "__tenacitty_$1" %b "$text"
        __tenacitty_mark "C;$1;$$"
        builtin return $last_status
      fi
      text+=$line
    done
  fi
  builtin return $last_status
}
__tenacitty_preexec() { [[ "$1" == *' __tenacitty_c '* ]] || __tenacitty_mark "C;0;$$" }
