# Behind the rest where no file can be shared: commands are typed to this bash, line by line as it asks for them, a dot
# at the end.
__tenacitty_c() {
  builtin local status=$? line text=
  if (($1 > ${__tenacitty_last-0})); then
    builtin unset -v "__tenacitty_${__tenacitty_last-0}"
    while __tenacitty_mark "N;$1;$$" && IFS= builtin read -r line; do
      if [[ "$line" == . ]]; then
        __tenacitty_last=$1
        builtin printf -v "__tenacitty_$1" %b "$text"
        __tenacitty_mark "C;$1;$$"
        builtin return $status
      fi
      text+=$line
    done
  fi
  builtin return $status
}
__tenacitty_typed() { :; }
