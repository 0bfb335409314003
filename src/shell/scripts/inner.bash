# Appended to the integration for a nested bash: keeps the line that loaded it out of the history.
__tenacitty_forget() {
  \builtin local newest
  newest=$(HISTTIMEFORMAT= \builtin history 1)
  if [[ "$newest" == *[_/]tenacitty[_.]* && "$newest" =~ ^[[:space:]]*([0-9]+) ]]; then
    \builtin history -d "${BASH_REMATCH[1]}"
  fi
}
__tenacitty_forget 2>/dev/null
