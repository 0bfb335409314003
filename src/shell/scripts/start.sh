# Read through ENV by an interactive POSIX shell of tenacitty: reads the file that it would read anyway, then the
# integration.
@RESTORE@
if [ -n "${ENV-}" ]; then
  if [ -r "$ENV" ]; then . "$ENV"; fi
else
  case ${KSH_VERSION-} in '@(#)'*) if [ -r ~/.mkshrc ]; then . ~/.mkshrc; fi ;; esac
fi
\. @SCRIPT@
