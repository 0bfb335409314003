# What an interactive POSIX shell of tenacitty reads through ENV: the file it would read anyway, then the integration.
@RESTORE@
if [ -n "${ENV-}" ]; then
  if [ -r "$ENV" ]; then . "$ENV"; fi
elif [ -n "${KSH_VERSION-}" ] && [ -r ~/.mkshrc ]; then
  . ~/.mkshrc
fi
\. @SCRIPT@
