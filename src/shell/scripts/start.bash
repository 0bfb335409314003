# Starts an interactive bash of tenacitty: reads the startup files that it would read anyway, then the integration, so
# that they cannot undo it.
if [[ -r ~/.bashrc ]]; then . ~/.bashrc; fi
# With `set -v` the shell prints lines as it reads them; it must not print these, because they contain the secret.
\builtin . @SCRIPT@ 2>/dev/null
