# What an interactive bash of tenacitty starts with: the start files it would read anyway, then the integration, so that
# they cannot undo it.
if [[ -r ~/.bashrc ]]; then . ~/.bashrc; fi
\builtin . @SCRIPT@
