# Appended if no files can be shared: commands are typed to this shell, line by line as it requests them, ended by a
# dot. No line is empty, so an empty read means that nothing was read.
__tenacitty_c() {
  case $1 in
    "${__tenacitty_last-}") ;;
    *)
      __tenacitty_typed= __tenacitty_line=-
      while case $__tenacitty_line in '' | .) \false ;; esac do
        __tenacitty_line=
        __tenacitty_mark "N;$1;$$"
        IFS= \command read -r __tenacitty_line
        case $__tenacitty_line in
          .)
            __tenacitty_last=$1
            __tenacitty_text=$(\command printf %b "$__tenacitty_typed")
            __tenacitty_prepare "$1"
            \eval "__tenacitty_is_$1=1"
            __tenacitty_mark "C;$1;$$"
            ;;
        esac
        __tenacitty_typed=$__tenacitty_typed$__tenacitty_line
      done
      ;;
  esac
  \return "$__tenacitty_status"
}
