# Behind the rest where no file can be shared: commands are typed to this shell, line by line as it asks for them, a dot
# at the end.
__tenacitty_c() {
  __tenacitty_status=$?
  if [ "$1" -gt "${__tenacitty_last-0}" ]; then
    unset "__tenacitty_${__tenacitty_last-0}"
    __tenacitty_text=
    while __tenacitty_mark "N;$1;$$" && IFS= read -r __tenacitty_line; do
      case $__tenacitty_line in
        .)
          __tenacitty_last=$1
          eval "__tenacitty_$1=\$(printf %b \"\$__tenacitty_text\")"
          __tenacitty_mark "C;$1;$$"
          break
          ;;
      esac
      __tenacitty_text=$__tenacitty_text$__tenacitty_line
    done
  fi
  return $__tenacitty_status
}
