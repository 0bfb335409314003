# Behind the rest where no file can be shared: commands are typed to this bash, line by line as it asks for them, a dot
# at the end.
__tenacitty_c() {
  \builtin local line text=
  if [[ "$1" != "${__tenacitty_last-}" ]]; then
    while __tenacitty_mark "N;$1;$$" && IFS= \builtin read -r line; do
      if [[ "$line" == . ]]; then
        __tenacitty_last=$1
        \builtin printf -v __tenacitty_text %b "$text"
        __tenacitty_mark "C;$1;$$"
        break
      fi
      text+=$line
    done
  fi
  \builtin return "$__tenacitty_status"
}
__tenacitty_typed() { :; }
