#!/usr/bin/env bash
# Builds the benchmarks in build/bench and runs one; stops what it started. bench/README.md
# says what each measures.
#
#   scripts/bench.sh match [OPTION …]   errata's matcher beside PCRE2, RE2 and Vectorscan
#   scripts/bench.sh grow [OPTION …]    the matcher at 2,000, 100,000 and 1,000,000 rules
#   scripts/bench.sh load [COUNT]       loading a bundle, of 100,000 records by default
#   scripts/bench.sh service [ROUNDS]   requests through NATS beside bare echo services
#   scripts/bench.sh idle [COUNT]       memory of the service, with 2,000 records by default
#
# Options of match: --messages FILE, --rounds N, --seed N; of grow: --most N, --rounds N, --seed N.
# Status: 0 measured, 1 something failed, 2 bad usage or something is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
PATH=$PATH:/usr/sbin

readonly BUILD=build/bench
readonly BIN=$BUILD/bench

work='' url='' pids=()

say() { printf 'bench: %s\n' "$*" >&2; }
die() { say "$2"; exit "$1"; }

usage() {
  sed -n '2,/^set /{/^#/s/^# \{0,1\}//p}' "$0" >&2
  exit 2
}

stop() {
  local status=$? pid
  trap '' INT TERM HUP
  # The last to be started goes first.
  for ((i = ${#pids[@]} - 1; i >= 0; i--)); do
    pid=${pids[i]}
    kill -INT "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
  done
  [ -z "$work" ] || rm -rf "$work"
  exit "$status"
}

# In the background, its output in a log; INT would otherwise be ignored there.
start() { # NAME COMMAND …
  local name=$1
  shift
  (
    trap - INT
    exec "$@"
  ) >"$work/$name.log" 2>&1 &
  pids+=($!)
}

# A signal ends `wait` at once, where it would wait for a command in front to end.
measure() { # COMMAND …
  (
    trap - INT
    exec "$@"
  ) &
  pids+=($!)
  wait $!
}

build() { # TARGET …
  local log=$BUILD/build.log
  mkdir -p "$BUILD"
  say "building in $BUILD"
  if ! { cmake -S . -B "$BUILD" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DERRATA_BENCH=ON -DERRATA_TESTS=OFF &&
    cmake --build "$BUILD" --target "$@"; } >"$log" 2>&1; then
    cat "$log" >&2
    die 1 'building failed'
  fi
}

bundle() { # COUNT
  say "writing a bundle of $1 records"
  "$BIN/bench_bundle" "$1" catalog >"$work/bundle.ndjson"
}

server() {
  local try file
  mkdir -p "$work/ports"
  start nats-server nats-server -a 127.0.0.1 -p -1 --ports_file_dir "$work/ports"
  for ((try = 0; try < 100; try++)); do
    for file in "$work"/ports/*.ports; do
      [ -e "$file" ] || continue
      url=$(grep -o -m 1 'nats://[^"]*' "$file") || continue
      return 0
    done
    sleep 0.1
  done
  cat "$work/nats-server.log" >&2
  die 1 'nats-server did not start'
}

errata() {
  start errata "$BUILD/errata" serve --no-context --server "$url" --catalog "$work/bundle.ndjson"
  # The size of its reply, which also says that it answers.
  if ! bytes=$("$BIN/bench_service" "$url" "$work/bundle.ndjson" --size); then
    cat "$work/errata.log" >&2
    die 1 'errata does not answer'
  fi
}

run_match() {
  scripts/deps.sh bench || say 'going on without the peers that are missing'
  build bench_match
  measure "$BIN/bench_match" "$@"
}

run_load() {
  build bench_bundle bench_load
  bundle "${1:-100000}"
  measure "$BIN/bench_load" "$work/bundle.ndjson"
}

run_service() {
  local sending
  scripts/deps.sh run
  build bench_bundle bench_service bench_echo errata
  bundle 2000
  server
  errata
  for sending in buffered asap libuv; do
    start "echo-$sending" "$BIN/bench_echo" "$sending" "$url" "$bytes"
  done
  say 'measuring, for about a minute and a half'
  # All but the server, in the order in which they were started.
  measure "$BIN/bench_service" "$url" "$work/bundle.ndjson" "${1:-25}" "${pids[@]:1}"
}

# Resident memory in KiB: all of it, and without the pages of files, which programs share.
resident() { # PID NAME
  awk -v name="$2:" '$1 == name { print $2 }' "/proc/$1/status"
}

run_idle() {
  local pid all anonymous
  scripts/deps.sh run
  build bench_bundle bench_service errata
  bundle "${1:-2000}"
  server
  errata
  pid=${pids[-1]}
  sleep 3
  all=$(resident "$pid" VmRSS)
  anonymous=$(resident "$pid" RssAnon)
  awk -v count="${1:-2000}" -v all="$all" -v anonymous="$anonymous" -v bundle="$(stat -c %s "$work/bundle.ndjson")" \
    'BEGIN {
      printf "%d records, a bundle of %.1f MiB, idle after a request\n", count, bundle / 1048576
      printf "resident  %.1f MiB (%.1f without files)   aim 32   %s\n", all / 1024, anonymous / 1024,
        all < 32 * 1024 ? "met" : "missed"
    }'
}

[ $# -ge 1 ] || usage
what=$1
shift
case $what in match|grow|load|service|idle) ;; *) usage ;; esac

trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
work=$(mktemp -d)
scripts/deps.sh build
case $what in
  match) run_match "$@" ;;
  grow) run_match --grow "$@" ;;
  load) run_load "$@" ;;
  service) run_service "$@" ;;
  idle) run_idle "$@" ;;
esac
