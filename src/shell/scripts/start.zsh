# Read by zsh as its .zshenv, once: restores the location of the user's files, reads the user's .zshenv, and makes the
# integration load after all of them, at the first prompt. The commands are quoted, because aliases already apply here.
@RESTORE@
{
  [[ ! -r "${ZDOTDIR-$HOME}/.zshenv" ]] || 'builtin' 'source' "${ZDOTDIR-$HOME}/.zshenv"
} always {
  [[ ! -o interactive ]] || 'builtin' 'source' @SCRIPT@
}
