#!/usr/bin/env bash
# One command from a checkout to a verdict: installs what is missing, builds, and runs every
# test. Prints little where nothing is wrong.
#
#   scripts/test.sh [dev|asan|tsan|scripts|compose …]      default: all of them
#
#   dev, asan   the whole suite; asan is AddressSanitizer with UBSan
#   tsan        the integration tests under ThreadSanitizer
#   scripts     scripts/deps.sh and scripts/run.sh
#   compose     the container image (as root, where an engine can be started)
#
# With CI set, nothing that can be provided is left out. Status: 0 when all passed.
set -euo pipefail
cd "$(dirname "$0")/.."
PATH=$PATH:/usr/sbin

readonly NATS_VERSION=0.5.0
readonly TOOLS=$PWD/build/tools
readonly GRAMMARS=$PWD/build/grammars

failed=() summary=() passes=0 failures=0 skips=0
extract=(-DERRATA_EXTRACT=OFF)

say() { printf 'test: %s\n' "$*"; }
in_ci() { [ -n "${CI-}" ]; }

# --- what the tests need -----------------------------------------------------------------

is_nats() { [ -x "$1" ] && "$1" --version 2>/dev/null | grep -q -E "^v?${NATS_VERSION//./\\.}$"; }

# The `nats` command of the tests: the one on PATH if it is of that version, else our own.
provide_nats() {
  if is_nats "$(command -v nats)"; then return 0; fi
  if ! is_nats "$TOOLS/nats"; then
    if ! command -v go >/dev/null; then
      say "neither nats $NATS_VERSION nor Go is here: the tests with the nats command are left out"
      return 0
    fi
    say "building nats $NATS_VERSION with Go, in build/tools"
    mkdir -p "$TOOLS"
    GOBIN=$TOOLS GOFLAGS='' go install "github.com/nats-io/natscli/nats@v$NATS_VERSION" >build/nats.log 2>&1 || {
      cat build/nats.log
      if in_ci; then failed+=("nats $NATS_VERSION"); return 0; fi
      say 'it could not be built: the tests with the nats command are left out'
      return 0
    }
  fi
  PATH=$TOOLS:$PATH
}

# Where npm is there, `errata extract` is built and tested too.
provide_extract() {
  if ! in_ci && ! command -v npm >/dev/null; then
    say 'npm is not here: errata extract is left out'
  elif scripts/deps.sh extract && scripts/grammars.sh "$GRAMMARS" >build/grammars.log 2>&1; then
    extract=(-DERRATA_EXTRACT=ON "-DERRATA_GRAMMARS=$GRAMMARS")
  elif in_ci; then
    cat build/grammars.log 2>/dev/null || true
    say 'scripts/grammars.sh failed'
    failed+=('grammars of errata extract')
  else
    say 'libtree-sitter or the grammars could not be had: errata extract is left out'
  fi
}

# --- running -----------------------------------------------------------------------------

# The sanitizers of gcc 12 can not place their shadow where the kernel randomizes addresses
# by more than 28 bits.
fixed_addresses() {
  if setarch "$(uname -m)" -R true 2>/dev/null; then setarch "$(uname -m)" -R "$@"; else "$@"; fi
}

# Adds a run's closing lines to the summary: `42% tests passed, …` and the tests that did not run.
take_ctest() { # PRESET LOG
  local line total bad skipped
  line=$(grep -E '^[0-9]+% tests passed' "$2" | tail -n 1) || true
  [ -n "$line" ] || return 0
  summary+=("$1: $line")
  bad=$(sed -E 's/.* ([0-9]+) tests? failed out of .*/\1/' <<<"$line")
  total=$(sed -E 's/.* out of ([0-9]+).*/\1/' <<<"$line")
  skipped=$(grep -c -E '^[[:space:]]+[0-9]+ - .*\((Skipped|Disabled)\)' "$2" || true)
  while read -r line; do summary+=("$1: not run: $line"); done \
    < <(sed -n -E 's/^[[:space:]]+[0-9]+ - (.*) \((Skipped|Disabled)\).*/\1/p' "$2")
  failures=$((failures + bad))
  skips=$((skips + skipped))
  passes=$((passes + total - bad - skipped))
}

# Each program under ThreadSanitizer would sleep a second before it ends.
export TSAN_OPTIONS=${TSAN_OPTIONS-atexit_sleep_ms=0}

run_preset() { # PRESET
  local preset=$1 log=build/$1.test.log status=0 started=$SECONDS
  say "$preset: building"
  fixed_addresses scripts/build.sh "$preset" "${extract[@]}" || { failed+=("$preset: build"); return 0; }
  say "$preset: testing ($((SECONDS - started)) s so far)"
  fixed_addresses ctest --preset "$preset" --output-on-failure --no-tests=error -j "$(nproc)" \
    >"$log" 2>&1 || status=$?
  if [ "$status" != 0 ]; then
    grep -v -E '^ *[0-9]+/[0-9]+ Test +#[0-9]+: .* Passed |^ +Start +[0-9]+: ' "$log" || true
    failed+=("$preset: tests (all output in $log)")
  fi
  take_ctest "$preset" "$log"
  say "$preset: $((SECONDS - started)) s"
}

run_script() { # NAME
  local log=build/$1.test.log status=0 started=$SECONDS
  say "tests/$1.sh"
  "tests/$1.sh" >"$log" 2>&1 || status=$?
  case $status in
    0) passes=$((passes + 1)) ;;
    77) skips=$((skips + 1)); summary+=("tests/$1.sh: not run: $(tail -n 1 "$log")") ;;
    *) cat "$log"; failures=$((failures + 1)); failed+=("tests/$1.sh") ;;
  esac
  say "tests/$1.sh: $((SECONDS - started)) s"
}

run_compose() { # yes when it was asked for by name
  if in_ci || [ "$1" = yes ]; then
    scripts/deps.sh compose || { failed+=('packages for tests/compose.sh'); return 0; }
  elif [ "$(id -u)" != 0 ] || ! scripts/deps.sh --check compose; then
    say 'no container engine that root can start: tests/compose.sh is left out (scripts/deps.sh compose installs one)'
    return 0
  fi
  run_script compose
}

finish() {
  local line
  echo
  for line in "${summary[@]}"; do printf '%s\n' "$line"; done
  for line in "${failed[@]}"; do printf 'FAILED  %s\n' "$line"; done
  printf '%d passed, %d failed, %d skipped\n' "$passes" "$failures" "$skips"
  [ ${#failed[@]} -eq 0 ]
}

main() {
  local part named=yes
  if [ $# -eq 0 ]; then
    named=no
    set -- dev asan tsan scripts compose
  fi
  for part in "$@"; do
    case $part in
      dev|asan|tsan|scripts|compose) ;;
      *) say "no such part: $part (dev, asan, tsan, scripts, compose)" >&2; exit 2 ;;
    esac
  done
  mkdir -p build
  scripts/deps.sh build run test
  case " $* " in *" dev "*|*" asan "*|*" tsan "*) provide_nats; provide_extract ;; esac
  for part in "$@"; do
    case $part in
      scripts) run_script deps; run_script run ;;
      compose) run_compose "$named" ;;
      *) run_preset "$part" ;;
    esac
  done
  finish
}

main "$@"
