#!/usr/bin/env bash
# Configures and builds one preset in build/PRESET; of `release` alone, build/errata is a link
# to the program.
#
#   scripts/build.sh [PRESET [CMAKE-OPTION …]]      default: release
set -euo pipefail
cd "$(dirname "$0")/.."

preset=${1:-release}
[ $# -eq 0 ] || shift
log=build/$preset.log
mkdir -p build

# Where a person looks on, the builder's own progress; else nothing but what goes wrong.
build() {
  if [ -t 1 ]; then cmake --build --preset "$preset" "$@"; else cmake --build --preset "$preset" "$@" -- --quiet; fi
}

configure=(cmake --preset "$preset" "$@")
# Tests belong to `release` only if somebody asked for them.
if [ "$preset" = release ] && [ ! -e build/release/CMakeCache.txt ]; then configure+=(-DERRATA_TESTS=OFF); fi

if ! "${configure[@]}" >"$log" 2>&1; then
  cat "$log" >&2
  exit 1
fi
rm -f "$log"
if [ "$preset" = release ]; then
  build --target errata
  ln -sfn release/errata build/errata
else
  build
fi
