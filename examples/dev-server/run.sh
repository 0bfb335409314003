#!/usr/bin/env bash
# Starts a development server in a terminal, watches it, stops it, and asks how it ended: the whole of
# tenacitty's first use, with nothing but curl and jq.
#
#   ./run.sh [SERVER]            SERVER is http://127.0.0.1:3001 unless given
#   API_KEY=tnc_… ./run.sh …     where the server asks for a key
set -euo pipefail

SERVER=${1:-http://127.0.0.1:3001}
PROJECT=$(cd "$(dirname "${BASH_SOURCE[0]}")/project" && pwd)
# Longest that one step may take: npm itself can need seconds on a busy machine.
PATIENCE_S=60
# How long one read waits at the server for something new.
WAIT_MS=10000

say() { printf '\n== %s\n' "$*"; }
fail() { printf 'Failed: %s\n' "$*" >&2; exit 1; }

# The key goes to curl through a file descriptor: a process list shows arguments to everyone.
key_header() { if [[ -n ${API_KEY:-} ]]; then printf 'header = "X-API-Key: %s"\n' "$API_KEY"; fi; }

# api METHOD PATH [BODY]: prints the answer; fails, saying why, when it is an error.
api() {
  local body=()
  if (($# > 2)); then body=(-H 'Content-Type: application/json' -d "$3"); fi
  local answer
  answer=$(curl --silent --show-error --config <(key_header) -X "$1" "$SERVER$2" ${body[@]+"${body[@]}"}) || return
  if [[ $(jq -r .success <<<"$answer") != true ]]; then
    jq -r '.error | "\(.code): \(.message)"' <<<"$answer" >&2
    return 1
  fi
  printf '%s' "$answer"
}

type_in() { api POST "/api/terminals/$ID/input" "$(jq -n --arg input "$1" '{input: $input}')" >/dev/null; }

# Reads what is new since line NEXT, waiting for it. The last line may be unfinished (a prompt, say): it is
# left for the next read, so each line is printed once.
NEXT=0
read_on() {
  PAGE=$(api GET "/api/terminals/$ID/output?since=$NEXT&timeoutMs=$WAIT_MS")
  FRESH=$(jq -r '.data | (.output | split("\n"))[: .nextReadFrom - .fromLine][]' <<<"$PAGE")
  NEXT=$(jq -r .data.nextReadFrom <<<"$PAGE")
  if [[ -n $FRESH ]]; then sed 's/^/   | /' <<<"$FRESH"; fi
}

# read_until COMMAND…: reads on until the command succeeds.
read_until() {
  local deadline=$((SECONDS + PATIENCE_S))
  read_on
  until "$@"; do
    ((SECONDS < deadline)) || fail "waited $PATIENCE_S seconds in vain for: $*"
    read_on
  done
}
# What can be waited for. What a pattern has matched is in BASH_REMATCH.
reads() { [[ $FRESH =~ $1 ]]; }
has_ended() { [[ $(jq .data.isActive <<<"$PAGE") == false ]]; }

ID=''
clean_up() { if [[ -n $ID ]]; then api DELETE "/api/terminals/$ID" >/dev/null || true; fi; }
trap clean_up EXIT

say 'Create a terminal in the project'
ID=$(api POST /api/terminals "$(jq -n --arg cwd "$PROJECT" '{cwd: $cwd}')" | jq -r .data.terminalId)
echo "   terminal $ID"

say 'Start the development server, and read until it says where it is'
type_in 'npm run dev'
read_until reads 'Local: +(http://[0-9.:]+/)'
URL=${BASH_REMATCH[1]}

say "Fetch $URL, and read just what is new: the request in its log"
curl --silent --show-error --fail "$URL" | grep --quiet 'It works' || fail "$URL is not the page"
read_until reads 'GET / 200'

say 'Save a file, and read that the watcher saw it'
touch "$PROJECT/pages/index.html"
read_until reads 'Changed: index.html'

say 'Press Ctrl-C, leave the shell, and read how it ended'
type_in $'\003'
type_in 'exit'
read_until has_ended
EXIT_CODE=$(jq .data.exitCode <<<"$PAGE")
echo "   exit code $EXIT_CODE (130 means: ended by Ctrl-C)"
if curl --silent "$URL" >/dev/null; then fail "$URL still answers"; fi

say 'Delete the terminal'
api DELETE "/api/terminals/$ID" | jq -r '"   \(.message)"'
ID=''
