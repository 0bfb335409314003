# The same for a login shell, which reads this by ENV because it was started in POSIX mode: that is undone first.
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
# Whoever has lines shown as they are read (`set -v`) is not shown these: the secret is among them.
\builtin . @SCRIPT@ 2>/dev/null
