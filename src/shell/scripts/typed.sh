# Behind the rest where no file can be shared: commands are typed to this shell, line by line as it asks for them, a dot
# at the end.
__tenacitty_c() {
  case $1 in
    "${__tenacitty_last-}") ;;
    *)
      __tenacitty_typed=
      while __tenacitty_mark "N;$1;$$" && IFS= \read -r __tenacitty_line; do
        case $__tenacitty_line in
          .)
            __tenacitty_last=$1
            __tenacitty_text=$(\printf %b "$__tenacitty_typed")
            __tenacitty_mark "C;$1;$$"
            \break
            ;;
        esac
        __tenacitty_typed=$__tenacitty_typed$__tenacitty_line
      done
      ;;
  esac
  \return "$__tenacitty_status"
}
