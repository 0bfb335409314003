# What an interactive bash of tenacitty starts with: the start files it would read anyway, then the integration, so that
# they cannot undo it.
if [[ -r ~/.bashrc ]]; then . ~/.bashrc; fi
# Whoever has lines shown as they are read (`set -v`) is not shown these: the secret is among them.
\builtin . @SCRIPT@ 2>/dev/null
