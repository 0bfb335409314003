# Read by zsh as its .zshenv, once: gives back where its user's files are, reads theirs, and has the integration loaded
# after all of them, at the first prompt. Quoted, because aliases hold here already.
@RESTORE@
{
  [[ ! -r "${ZDOTDIR-$HOME}/.zshenv" ]] || 'builtin' 'source' "${ZDOTDIR-$HOME}/.zshenv"
} always {
  [[ ! -o interactive ]] || 'builtin' 'source' @SCRIPT@
}
