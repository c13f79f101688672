#!/usr/bin/env bash
# One command from a checkout to a responder that answers: installs what is missing, builds,
# starts a NATS server on this machine unless there is one, starts the responder, and says
# what to try. Ctrl-C stops what was started.
#
#   NATS_URL    the server to use; nothing is started then
#   NATS_PORT   port of the local server, 4222 by default
#
# Status: 0 stopped by Ctrl-C or SIGTERM, 1 something did not start or ended by itself.
set -euo pipefail
cd "$(dirname "$0")/.."
PATH=$PATH:/usr/sbin

readonly PORT=${NATS_PORT:-4222}
readonly LOCAL=nats://127.0.0.1:$PORT
readonly SERVER_LOG=build/nats-server.log
readonly ERRATA=build/errata

server='' responder='' stopping=''

say() { printf 'run: %s\n' "$*"; }

listens() { (exec 3<>"/dev/tcp/127.0.0.1/$PORT") 2>/dev/null; }
alive() { [ -n "$1" ] && kill -0 "$1" 2>/dev/null; }

# Out of the terminal's process group: Ctrl-C has to reach this script alone, which stops the
# responder before the server. Should the script be killed, what it started goes with it.
detached() {
  if command -v setpriv >/dev/null; then
    exec setsid setpriv --pdeathsig TERM -- "$@"
  fi
  exec setsid "$@"
}

# Ends one child and gives its status.
end() { # SIGNAL PID
  local status=0
  [ -n "$2" ] || return 0
  kill -"$1" "$2" 2>/dev/null || true
  wait "$2" || status=$?
  return "$status"
}

stop() { # STATUS
  local status=$1
  trap '' INT TERM HUP
  end TERM "$responder" || { say "the responder ended with status $?"; status=1; }
  # By SIGTERM, nats-server ends with a status that means a fault.
  end INT "$server" || { say "nats-server ended with status $?, see $SERVER_LOG"; status=1; }
  trap - EXIT
  exit "$status"
}

fail() {
  say "$*" >&2
  stop 1
}

start_server() {
  if [ -n "${NATS_URL-}" ]; then return 0; fi
  export NATS_URL=$LOCAL
  unset NATS_CONTEXT
  if listens; then
    say "using the server that listens on 127.0.0.1:$PORT"
    return 0
  fi
  detached nats-server -a 127.0.0.1 -p "$PORT" >"$SERVER_LOG" 2>&1 &
  server=$!
  until listens; do
    [ -z "$stopping" ] || stop 0
    alive "$server" || { server=; tail -n 5 "$SERVER_LOG" >&2; fail 'nats-server did not start'; }
    sleep 0.1
  done
  say "nats-server $LOCAL, log in $SERVER_LOG"
}

start_responder() {
  local status try
  detached "$ERRATA" serve "${options[@]}" &
  responder=$!
  # Any answer will do: a catalog of one's own need not hold the record.
  for ((try = 0; try < 150; try++)); do
    [ -z "$stopping" ] || stop 0
    if ! alive "$responder"; then
      status=0
      wait "$responder" || status=$?
      responder=
      fail "the responder did not start (status $status)"
    fi
    status=0
    "$ERRATA" get --remote "${options[@]}" --timeout 1s 10059 >/dev/null 2>&1 || status=$?
    if [ "$status" -le 1 ]; then return 0; fi
    sleep 0.1
  done
  fail 'the responder does not answer'
}

lines_to_try() {
  local nats=nats at=
  if [ ${#options[@]} -gt 0 ]; then at=' --no-context'; fi
  # A URL of the user's may hold a password, and stands in the environment.
  if [ "$given" = no ] && [ "$PORT" != 4222 ]; then at="$at --server $LOCAL"; fi
  if ! command -v nats >/dev/null && [ -x build/tools/nats ]; then nats=build/tools/nats; fi
  cat <<EOT

The responder is ready. In another terminal, with the nats command:

  $nats$at req errors.explain 'nats: error: stream not found (10059)'
  $nats$at req --raw errors.explain < line.txt
  $nats$at req --raw -H Accept:text/plain errors.get 10059

or without it:

  $ERRATA explain$at --remote 'nats: error: stream not found (10059)'
  $ERRATA explain$at --remote < line.txt
  $ERRATA get$at --remote 10059

line.txt being a line of a log. Single quotes, or standard input, keep the shell away from
what such a line holds.
Ctrl-C stops it.

EOT
}

watch() {
  local status=0
  while [ -z "$stopping" ]; do
    status=0
    # shellcheck disable=SC2086 # no word where there is no server
    wait -n $server "$responder" || status=$?
    [ -z "$stopping" ] || break
    if [ -n "$responder" ] && ! alive "$responder"; then
      responder=
      fail "the responder ended by itself (status $status)"
    fi
    if [ -n "$server" ] && ! alive "$server"; then
      server=
      fail "nats-server ended by itself (status $status), see $SERVER_LOG"
    fi
  done
  say 'stopping'
  stop 0
}

given=no
if [ -n "${NATS_URL-}" ]; then given=yes; fi
# A context that is selected for the nats command would lead elsewhere.
options=()
if [ "$given" = no ] && { [ -n "${NATS_CONTEXT-}" ] || [ -s "${XDG_CONFIG_HOME:-${HOME-}/.config}/nats/context.txt" ]; }; then
  options=(--no-context)
fi

scripts/deps.sh build run
say 'building'
scripts/build.sh release
trap 'stopping=yes' INT TERM HUP
trap 'stop $?' EXIT
start_server
start_responder
lines_to_try
watch
