# Appended if no files can be shared: commands are typed to this zsh, line by line as it requests them, ended by a dot.
# No line is empty, so an empty read means that nothing was read.
__tenacitty_take() {
  'builtin' 'local' line=- text=
  while [[ "$line" != '' && "$line" != . ]]; do
    line=
    __tenacitty_mark "N;$1;$$"
    IFS= 'builtin' 'read' -r line
    if [[ "$line" != . ]]; then text+=$line; fi
  done
  'builtin' 'printf' -v __tenacitty_text %b "$text"
  [[ "$line" == . ]]
}
__tenacitty_preexec() { [[ "$1" == *'__tenacitty_d '* ]] || __tenacitty_mark "C;0;$$" }
