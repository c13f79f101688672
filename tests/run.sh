#!/usr/bin/env bash
# scripts/run.sh as a person uses it: it comes up, what it says to try works as written, it
# stops by Ctrl-C and by SIGTERM with status 0 and leaves nothing behind, and it says so when
# one of the two that it started ends by itself.
set -euo pipefail
cd "$(dirname "$0")/.."
PATH=$PATH:/usr/sbin

work=$(mktemp -d)
run='' server='' responder='' bystander=''

fail() {
  printf 'run: FAILED: %s\n' "$*"
  cat "$work/out"
  exit 1
}

clean_up() {
  local pid
  for pid in $run $server $responder $bystander; do kill -TERM "$pid" 2>/dev/null || true; done
  rm -rf "$work"
}
trap clean_up EXIT

listens() { (exec 3<>"/dev/tcp/127.0.0.1/$NATS_PORT") 2>/dev/null; }

free_port() {
  for ((NATS_PORT = 20000 + RANDOM % 10000; ; NATS_PORT++)); do listens || break; done
  export NATS_PORT
}

child() { # NAME: the child of run.sh with that name, nothing where there is none
  awk -v parent="$run" -v name="$1" '
    $1 == "Name:" { is = $2 == name }
    $1 == "Pid:" { pid = $2 }
    $1 == "PPid:" && $2 == parent && is { print pid }' /proc/[0-9]*/status 2>/dev/null || true
}

until_true() { # SECONDS COMMAND...
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    [ "$SECONDS" -lt "$end" ] || return 1
    sleep 0.1
  done
}

gone() { ! kill -0 "$1" 2>/dev/null; }
ready() { grep -q '^The responder is ready' "$work/out" || gone "$run"; }

# With Ctrl-C as a terminal gives it: a process group of its own, SIGINT not ignored.
start() {
  : >"$work/out"
  setsid env --default-signal=INT,TERM,HUP scripts/run.sh >"$work/out" 2>&1 </dev/null &
  run=$!
  until_true 600 ready || fail 'not ready in ten minutes'
  gone "$run" && fail 'it ended at once'
  server=$(child nats-server)
  responder=$(child errata)
  [ -n "$responder" ] || fail 'no responder'
}

ends_with() { # STATUS WHAT
  local status=0
  until_true 30 gone "$run" || fail "$2: it goes on"
  wait "$run" || status=$?
  [ "$status" = "$1" ] || fail "$2: status $status, not $1"
  gone "$responder" || fail "$2: the responder was left behind"
  [ -z "$server" ] || gone "$server" || fail "$2: nats-server was left behind"
}

says() { grep -q "$1" "$work/out" || fail "it does not say: $1"; }

try_lines() {
  local line
  printf '[1] 2026/09/02 10:11:12.131415 [ERR] stream not found (10059)\n' >"$work/line.txt"
  while read -r line; do
    case $line in
      nats*) command -v nats >/dev/null || continue ;;
      build/*) ;;
      *) continue ;;
    esac
    line=${line//line.txt/$work/line.txt}
    bash -c "$line" >"$work/reply" 2>&1 </dev/null || fail "status $? of: $line: $(cat "$work/reply")"
    if ! grep -q '10059' "$work/reply" || grep -q 'Nats-Service-Error' "$work/reply"; then
      fail "not the record, by: $line: $(cat "$work/reply")"
    fi
  done < <(grep -E '^  (nats|build/)' "$work/out")
}

unset NATS_URL NATS_CONTEXT
free_port
start
[ -n "$server" ] || fail 'no nats-server'
try_lines
kill -INT -- "-$run"
ends_with 0 Ctrl-C
listens && fail 'the port is still open'

start
kill -TERM "$run"
ends_with 0 SIGTERM

start
kill -KILL "$server"
ends_with 1 'a dead server'
says 'nats-server ended by itself'

start
kill -KILL "$responder"
ends_with 1 'a dead responder'
says 'the responder ended by itself'

# A server that is there already is used, and left alone.
nats-server -a 127.0.0.1 -p "$NATS_PORT" >"$work/server.log" 2>&1 &
bystander=$!
until_true 10 listens || fail 'no server to use'
start
[ -z "$server" ] || fail 'a second server was started'
says 'using the server that listens'
kill -INT -- "-$run"
ends_with 0 'Ctrl-C beside a server'
gone "$bystander" && fail 'the server that was there was stopped'
echo 'run: all is well'
