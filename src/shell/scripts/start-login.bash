# Like start.bash, for a login shell. The shell reads this through ENV because it was started in POSIX mode, which is
# undone first.
builtin set +o posix
builtin shopt -u inherit_errexit 2>/dev/null
builtin unset ENV
if [[ "${HISTFILE-}" == ~/.sh_history ]]; then HISTFILE=~/.bash_history; fi
@RESTORE@
if [[ -r /etc/profile ]]; then . /etc/profile; fi
if [[ -r ~/.bash_profile ]]; then
  . ~/.bash_profile
elif [[ -r ~/.bash_login ]]; then
  . ~/.bash_login
elif [[ -r ~/.profile ]]; then
  . ~/.profile
fi
# With `set -v` the shell prints lines as it reads them; it must not print these, because they contain the secret.
\builtin . @SCRIPT@ 2>/dev/null
