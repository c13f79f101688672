#!/usr/bin/env bash
# scripts/deps.sh without a package being installed: what it derives from the sources of apt,
# and what it says where it may not or can not install.
set -euo pipefail
cd "$(dirname "$0")/.."

# shellcheck source=scripts/deps.sh
. scripts/deps.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

bad=0
expect() { # WHAT WANTED GOT
  if [ "$2" = "$3" ]; then return 0; fi
  printf 'deps: FAILED: %s\n--- wanted\n%s\n--- got\n%s\n' "$1" "$2" "$3"
  bad=1
}

source_files() { printf '%s\n' "$work"/*.list "$work"/*.sources | grep -v '[*]'; }
debian_uris() { echo 'http://mirror.test/debian http://mirror.test/security'; }

sources() { # NAME, text on standard input: from here on the only file of sources
  rm -f "$work"/*.list "$work"/*.sources
  cat >"$work/$1"
}

# --- one line a source -------------------------------------------------------------------

sources a.list <<'END'
# deb http://mirror.test/debian bookworm main
deb [ arch=amd64,arm64 signed-by=/k.gpg trusted=yes ] http://mirror.test/debian/ bookworm contrib main # tail
deb-src http://mirror.test/debian bookworm main
deb http://mirror.test/debian bookworm-updates main
deb http://mirror.test/debian bookworm contrib
deb http://mirror.test/security bookworm-security main
deb http://vendor.test/debian bookworm main
deb cdrom:[Debian 12]/ bookworm main
END
expect 'lines' 'Types: deb
Suites: trixie
Components: main
URIs: http://mirror.test/debian/
Architectures: amd64 arm64
Signed-By: /k.gpg
Trusted: yes

Types: deb
Suites: trixie-security
Components: main
URIs: http://mirror.test/security' "$(derive bookworm)"
names_suite bookworm || expect 'lines' 'names bookworm' 'does not'
! names_suite trixie || expect 'lines' 'does not name trixie' 'does'

# --- stanzas -----------------------------------------------------------------------------

sources a.sources <<'END'
# A comment.
Types: deb deb-src
URIs: http://mirror.test/debian
Suites: bookworm bookworm-updates
 bookworm-security
Components: main contrib
# Another.
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 mDMEXV
 -----END PGP PUBLIC KEY BLOCK-----
Check-Valid-Until: no

Enabled: no
Types: deb
URIs: http://mirror.test/debian
Suites: bookworm
Components: main

types: deb-src
uris: http://mirror.test/debian
suites: bookworm
components: main

Types: deb
URIs: http://vendor.test/debian
Suites: bookworm
Components: main

Types: deb
URIs: http://mirror.test/debian
Suites: bookworm
Components: contrib
END
expect 'stanzas' 'Types: deb
Suites: trixie trixie-security
Components: main
URIs: http://mirror.test/debian
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 mDMEXV
 -----END PGP PUBLIC KEY BLOCK-----
Check-Valid-Until: no' "$(derive bookworm)"

sources a.sources <<'END'
Types: deb
URIs: http://mirror.test/debian
Suites: trixie trixie-updates
Components: main
END
names_suite trixie || expect 'Debian 13' 'names trixie' 'does not'
! names_suite bookworm || expect 'Debian 13' 'does not name bookworm' 'does'

# --- where nothing may be installed ------------------------------------------------------

install_missing() { expect 'no installation' 'nothing' 'installed something'; }
missing() { printf '%s\n' 'cmake|cmd cmake 3.25|configures the build' '13:libnats-dev|pc libnats 3.10|NATS client'; }

outcome() { # RELEASE UID
  local status=0
  (
    eval "release() { printf '%s' '$1'; }; id() { echo '$2'; }"
    main test
  ) >"$work/out" 2>&1 || status=$?
  printf '%s: %s' "$status" "$(tail -n 1 "$work/out")"
}

expect 'another system' '2: deps: install by hand (names of Debian'\''s packages): cmake libnats-dev' "$(outcome '' 0)"
expect 'Debian 13, not root' '2: deps: not root; as root: apt-get install cmake libnats-dev' "$(outcome 13 1000)"
expect 'Debian 12, not root' '2: deps: not root; as root: scripts/deps.sh test' "$(outcome 12 1000)"
missing() { :; }
expect 'nothing missing' '0: ' "$(outcome 12 1000)"

[ "$bad" = 0 ] || exit 1
echo 'deps: all is well'
