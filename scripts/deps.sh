#!/usr/bin/env bash
# Finds out which packages are missing for a purpose, says so, and installs them (Debian 12
# and 13, as root). Where nothing is missing it says and changes nothing.
#
#   scripts/deps.sh [--check] [build|run|test|extract|compose|bench|fuzz …]   default: build run test
#
# With --check it only looks, and says nothing: status 2 where something is missing.
#
# Status: 0 everything is there, 1 an installation failed, 2 something is missing and can not
# be installed from here (not root, or another system).
set -euo pipefail

# purpose | probe | package | why
# A probe is `cmd NAME [VERSION]`, `pc MODULE VERSION`, `file PATH` or `compose VERSION`.
# A package that begins with `13:` is too old, or not there at all, in Debian 12.
# shellcheck disable=SC2016 # the backquotes are text
readonly NEEDS='
build|cmd cmake 3.25|cmake|configures the build
build|cmd ninja|ninja-build|runs the build
build|cmd gcc|gcc|compiles it
build|file /usr/include/stdio.h|libc6-dev|headers of the C library
build|cmd pkg-config|pkg-config|finds the libraries
build|pc libcjson 1.7.15|libcjson-dev|JSON
build|pc libpcre2-8 10.40|libpcre2-dev|patterns
build|pc libuv 1.44|libuv1-dev|event loop of the service
build|pc libcrypto 3.0|libssl-dev|hashes
build|pc libnats 3.10|13:libnats-dev|NATS client
run|cmd nats-server|13:nats-server|the local NATS server
test|pc cmocka 1.1.5|libcmocka-dev|unit tests
test|cmd nats-server|13:nats-server|integration tests
test|cmd openssl|openssl|certificates of the TLS tests
test|cmd python3|python3|drives some of the tests
test|cmd clang-format|clang-format|the test of the code style
test|cmd git|git|tests that read a repository
test|cmd groff|groff-base|the test of the manual page
extract|pc tree-sitter 0.22|13:libtree-sitter-dev|parser of `errata extract`
extract|cmd npm|npm|fetches the grammars
extract|file /etc/ssl/certs/ca-certificates.crt|ca-certificates|certificates that npm trusts
compose|cmd dockerd 20|13:docker.io|the container engine
compose|cmd docker 20|13:docker-cli|its command
compose|compose 2.0|13:docker-compose|`docker compose`
compose|cmd debootstrap|debootstrap|makes the base image where none can be pulled
bench|cmd g++|g++|compiles the one file that speaks to RE2
bench|pc re2 0|libre2-dev|RE2, a peer in the benchmarks
bench|pc libhs 5.4|libvectorscan-dev|Vectorscan, a peer in the benchmarks
fuzz|cmd clang 14|clang|compiles the fuzzers
fuzz|cmd llvm-symbolizer|llvm|names in the fuzzers'\'' reports
'

readonly SOURCES=/etc/apt/sources.list.d/errata-trixie.sources
readonly PREFERENCES=/etc/apt/preferences.d/errata-trixie
# Security updates of what was raised have to come from Debian 13 too, hence a pattern
# where a plain name would leave them out.
readonly TARGET='/^trixie(-security)?$/'

say() { printf 'deps: %s\n' "$*" >&2; }
die() { say "$2"; exit "$1"; }

# --- what is missing ---------------------------------------------------------------------

at_least() { # HAVE WANT
  [ -n "$1" ] && [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]
}

version_of() { # the first thing in a command's --version that looks like a version
  "$1" --version 2>/dev/null </dev/null | grep -o -m 1 -E '[0-9]+(\.[0-9]+)+' | head -n 1
}

present() { # KIND NAME [VERSION]
  case $1 in
    cmd) command -v "$2" >/dev/null || return 1
         [ -z "${3-}" ] || at_least "$(version_of "$2")" "$3" ;;
    pc) command -v pkg-config >/dev/null && pkg-config --exists "$2 >= $3" ;;
    file) [ -e "$2" ] ;;
    compose) command -v docker >/dev/null && at_least "$(docker compose version --short 2>/dev/null)" "$2" ;;
    *) die 1 "no such probe: $1" ;;
  esac
}

# Lines of NEEDS whose purpose is wanted and whose probe fails, a package once.
missing() {
  local purpose probe package why seen=' '
  while IFS='|' read -r purpose probe package why; do
    [ -n "$purpose" ] || continue
    case " $* " in *" $purpose "*) ;; *) continue ;; esac
    case $seen in *" $package "*) continue ;; esac
    # shellcheck disable=SC2086 # a probe is words
    present $probe && continue
    seen="$seen$package "
    printf '%s|%s|%s\n' "$package" "$probe" "$why"
  done <<<"$NEEDS"
}

packages() { cut -d '|' -f 1; }
of_13() { sed -n 's/^13://p'; }
not_of_13() { sed '/^13:/d'; }
on_a_line() { tr '\n' ' ' | sed 's/ *$//'; }

# --- Debian ------------------------------------------------------------------------------

# The files of apt's sources that are read, one a line.
source_files() {
  local file
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
    if [ -f "$file" ]; then printf '%s\n' "$file"; fi
  done
}

# Where Debian itself comes from, as far as apt has fetched the lists and so knows: other
# vendors call their suites after Debian's too.
debian_uris() {
  # shellcheck disable=SC2016 # apt's variables
  apt-get indextargets --format '$(ORIGIN) $(REPO_URI)' 'Created-By: Packages' |
    sed -n 's,^Debian \(.*[^/]\)/*$,\1,p' | sort -u | on_a_line
}

# Rewrites apt's sources but for ours: where Debian's suite NAME or NAME-security stands there,
# a deb822 source for trixie, with URI, key and every other option as they were.
derive() { # NAME
  local file known
  known=$(debian_uris)
  source_files | grep -v -F -x "$SOURCES" | while read -r file; do
    case $file in
      *.sources) awk -v name="$1" -v known="$known" "$DERIVE_STANZA" "$file" ;;
      *) awk -v name="$1" -v known="$known" "$DERIVE_LINE" "$file" ;;
    esac
  done
}

names_suite() { derive "$1" | grep -E '^Suites:.* trixie( |$)' >/dev/null; }

# Only the component main is of use: nothing that errata needs stands in another.
# shellcheck disable=SC2016 # awk's variables
readonly DERIVE_COMMON='
  function debian(uri) {
    sub(/\/+$/, "", uri)
    return uri !~ /^cdrom:/ && (known == "" || index(" " known " ", " " uri " "))
  }
  function trixie(suite) {
    sub(/\/$/, "", suite)
    if (suite == name) return "trixie"
    return suite == name "-security" ? "trixie-security" : ""
  }'

# shellcheck disable=SC2016
readonly DERIVE_STANZA="$DERIVE_COMMON"'
  function flush(   i) {
    if (binary && enabled && main && ours && suites != "") {
      printf "Types: deb\nSuites:%s\nComponents: main\n", suites
      for (i = 1; i <= n; i++) print kept[i]
      print ""
    }
    n = binary = main = ours = skip = 0; enabled = 1; suites = field = ""
  }
  function words(text,   i, count, word) {
    count = split(text, word, /[ \t]+/)
    for (i = 1; i <= count; i++) {
      if (field == "types" && word[i] == "deb") binary = 1
      if (field == "suites" && trixie(word[i]) != "") suites = suites " " trixie(word[i])
      if (field == "components" && word[i] == "main") main = 1
      if (field == "uris" && word[i] != "" && debian(word[i])) ours = 1
    }
  }
  BEGIN { flush() }
  /^#/ { next }
  /^[ \t]*$/ { flush(); next }
  /^[ \t]/ { words($0); if (!skip) kept[++n] = $0; next }
  {
    field = tolower($0); sub(/:.*/, "", field)
    value = $0; sub(/^[^:]*:/, "", value)
    words(value)
    if (field == "enabled" && tolower(value) ~ /^[ \t]*(no|false|without|off|disable|0)[ \t]*$/) enabled = 0
    skip = field ~ /^(types|suites|components|enabled)$/
    if (!skip) kept[++n] = $0
  }
  END { flush() }'

# shellcheck disable=SC2016
readonly DERIVE_LINE="$DERIVE_COMMON"'
  BEGIN {
    field["arch"] = "Architectures"; field["signed-by"] = "Signed-By"; field["trusted"] = "Trusted"
    field["check-valid-until"] = "Check-Valid-Until"; field["check-date"] = "Check-Date"
    field["by-hash"] = "By-Hash"; field["allow-insecure"] = "Allow-Insecure"
  }
  $1 != "deb" { next }
  {
    sub(/#.*/, ""); options = ""
    if (match($0, /\[[^]]*\]/)) {
      options = substr($0, RSTART + 1, RLENGTH - 2)
      $0 = substr($0, 1, RSTART - 1) " " substr($0, RSTART + RLENGTH)
    }
    if (!debian($2) || trixie($3) == "" || ($0 " ") !~ /[ \t]main[ \t]/) next
    printf "Types: deb\nSuites: %s\nComponents: main\nURIs: %s\n", trixie($3), $2
    count = split(options, option, /[ \t]+/)
    for (i = 1; i <= count; i++) {
      at = index(option[i], "="); key = tolower(substr(option[i], 1, at - 1))
      value = substr(option[i], at + 1); gsub(/,/, " ", value)
      if (at && key in field) printf "%s: %s\n", field[key], value
    }
    print ""
  }'

# Where the packages of the running system come from. VERSION_ID does not say: the C library
# of Debian 13 brings that release's /etc/os-release along.
release() {
  [ -r /etc/os-release ] && grep -q -E '^ID="?debian"?$' /etc/os-release || return 0
  command -v apt-get >/dev/null || return 0
  if names_suite trixie; then echo 13; elif names_suite bookworm; then echo 12; fi
}

add_debian_13() {
  # The pin goes first: at no moment may Debian 13 stand there with the usual priority.
  write "$PREFERENCES" "# Debian 13, for packages of errata alone (scripts/deps.sh). Delete this file together with
# ${SOURCES##*/} to undo it, or when the system moves to Debian 13.
Package: *
Pin: release n=trixie
Pin-Priority: 100

Package: *
Pin: release n=trixie-security
Pin-Priority: 100"
  write "$SOURCES" "# Debian 13, derived from the other sources by errata's scripts/deps.sh, and pinned at 100
# in $PREFERENCES.

$(derive bookworm)"
}

write() { # FILE TEXT, whole or not at all
  printf '%s\n' "$2" >"$1.new"
  chmod 644 "$1.new"
  mv "$1.new" "$1"
}

# --- installing --------------------------------------------------------------------------

# apt's own words are of use only when it fails.
run_apt() {
  local log
  log=$(mktemp)
  say "apt-get $*"
  if ! DEBIAN_FRONTEND=noninteractive NEEDRESTART_SUSPEND=1 apt-get -q -y \
      -o DPkg::Lock::Timeout=300 -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold \
      "$@" >"$log" 2>&1 </dev/null; then
    cat "$log" >&2
    rm -f "$log"
    return 1
  fi
  rm -f "$log"
}

update() { run_apt update || say 'apt-get update failed; going on with the lists that are there'; }

install_missing() { # RELEASE, the lines of `missing` on standard input
  local release=$1 lines old new had_server=
  lines=$(packages)
  old=$(not_of_13 <<<"$lines" | on_a_line)
  new=$(of_13 <<<"$lines" | on_a_line)
  ! command -v nats-server >/dev/null || had_server=yes
  update
  if [ "$release" = 12 ] && [ -n "$new" ] && ! { [ -e "$SOURCES" ] && [ -e "$PREFERENCES" ]; }; then
    add_debian_13
    update
  fi
  # shellcheck disable=SC2086 # lists of words
  [ -z "$old" ] || run_apt install --no-install-recommends $old || return 1
  # shellcheck disable=SC2086
  [ -z "$new" ] || run_apt install --no-install-recommends -t "$TARGET" $new || return 1
  # The package starts a server of its own at boot; only the program is wanted.
  if [ -z "$had_server" ] && [ -d /run/systemd/system ]; then
    systemctl disable --quiet --now nats-server.service 2>/dev/null || true
  fi
}

announce() { # RELEASE PURPOSES, the lines of `missing` on standard input
  local package probe why
  say "missing to $2:"
  while IFS='|' read -r package probe why; do
    printf '  %-20s %s\n' "${package#13:}" "$why" >&2
  done
}

explain_source() { # RELEASE PACKAGES
  if [ "$1" != 12 ] || [ -z "$2" ]; then return 0; fi
  say "from Debian 13, because Debian 12 is too old for it: $2; this raises the C library to 2.41 and OpenSSL to 3.5"
  [ -e "$SOURCES" ] || say "Debian 13 becomes a source of apt, pinned at 100 so that nothing else moves to it ($SOURCES)"
}

main() {
  local lines release names check='' purpose
  if [ "${1-}" = --check ]; then
    check=yes
    shift
  fi
  [ $# -gt 0 ] || set -- build run test
  for purpose in "$@"; do
    case $purpose in
      build|run|test|extract|compose|bench|fuzz) ;;
      *) die 2 "no such purpose: $purpose (build, run, test, extract, compose, bench, fuzz)" ;;
    esac
  done
  PATH=$PATH:/usr/sbin:/sbin
  lines=$(missing "$@")
  [ -n "$lines" ] || return 0
  [ -z "$check" ] || exit 2
  release=$(release)
  announce "$release" "$*" <<<"$lines"
  names=$(packages <<<"$lines" | sed 's/^13://' | on_a_line)
  [ -n "$release" ] || die 2 "install by hand (names of Debian's packages): $names"
  explain_source "$release" "$(packages <<<"$lines" | of_13 | on_a_line)"
  if [ "$(id -u)" != 0 ]; then
    [ "$release" != 13 ] || die 2 "not root; as root: apt-get install $names"
    die 2 "not root; as root: scripts/deps.sh $*"
  fi
  install_missing "$release" <<<"$lines" || die 1 "installing failed; it was: $names"
  lines=$(missing "$@")
  [ -z "$lines" ] || { announce "$release" "$*" <<<"$lines"; die 1 'still missing after the installation'; }
  say 'installed'
}

# The test of this script reads it for its functions.
[ "${BASH_SOURCE[0]}" != "$0" ] || main "$@"
