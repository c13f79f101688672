#!/bin/sh
# Style that a program can judge: clang-format, and no function over 100 lines.
# Prints what is wrong as file:line: text; exits with 1 when there is something.
set -eu
cd "$(dirname "$0")/.."

files=$(find src tests bench fuzz -name '*.[ch]' -type f | sort)
bad=0

# A function begins in column 1 before a lone "{" and ends at a lone "}" in column 1,
# which is how the formatter writes it; its lines are those from brace to brace.
awk -v most=100 '
  FNR == 1 { open = 0 }
  /^[A-Za-z_].*\(/ && !/;[ \t]*$/ { name = $0; sub(/\(.*/, "", name); sub(/.*[ \t*]/, "", name) }
  /^\{[ \t]*$/ { open = FNR }
  /^\}[ \t]*$/ {
    if (open && FNR - open + 1 > most) {
      printf "%s:%d: %s has %d lines, %d are allowed\n", FILENAME, open, name, FNR - open + 1, most
      bad = 1
    }
    open = 0
  }
  END { exit bad }
' $files || bad=1

if command -v clang-format >/dev/null 2>&1; then
  clang-format --dry-run -Werror $files || bad=1
else
  echo "check-style.sh: clang-format is not installed: the format was not checked"
fi
exit $bad
