#!/usr/bin/env bash
# Brings up docker-compose.yml and looks at what came up: both services healthy, the responder
# answers, is not root, has a read-only root file system, needs no shell, adds little to its
# base image, and stops with status 0.
#
# Starts an engine of its own where none runs (as root), and removes all that it made. Where an
# image can not be pulled, one is made in its place from the packages of Debian.
# Exits with 77 where no engine can be had.
set -euo pipefail
cd "$(dirname "$0")/.."
PATH=/usr/bin:$PATH:/usr/sbin:/sbin

readonly MOST_ADDED=$((20 * 1000 * 1000))
readonly PROJECT=errata-test-$$
readonly BASE=debian:trixie-slim

work=$(mktemp -d)
engine=''    # the engine's process, when it is ours
up=''        # yes once the project may have left something behind
reason=''    # why it failed or was left out; the last thing that it says
made=()      # images that were made or pulled here, newest first

say() { printf 'compose: %s\n' "$*"; }
fail() {
  reason="FAILED: $*"
  exit 1
}
skip() {
  reason=$*
  exit 77
}

# --- the engine --------------------------------------------------------------------------

# Without iptables and a bridge of its own the engine leaves the machine's network as it was;
# containers of one network reach each other all the same, and builds use the host's.
start_engine() {
  local try
  [ "$(id -u)" = 0 ] || skip 'no engine runs, and only root can start one'
  command -v dockerd >/dev/null || skip 'no engine runs, and dockerd is not installed'
  export DOCKER_HOST=unix://$work/docker.sock DOCKER_CONFIG=$work/config
  mkdir "$work/config"
  setpriv --pdeathsig TERM -- dockerd --host "$DOCKER_HOST" --data-root "$work/data" --exec-root "$work/exec" \
    --pidfile "$work/pid" --bridge none --iptables=false --ip6tables=false --ip-masq=false \
    --ip-forward=false >"$work/dockerd.log" 2>&1 &
  engine=$!
  for ((try = 0; try < 300; try++)); do
    if docker info >/dev/null 2>&1; then return 0; fi
    kill -0 "$engine" 2>/dev/null || break
    sleep 0.1
  done
  [ -z "${CI-}" ] || fail "dockerd did not start: $(tail -n 1 "$work/dockerd.log")"
  skip "no engine runs, and none can be started here: $(tail -n 1 "$work/dockerd.log")"
}

clean_up() {
  local status=$? image
  trap '' INT TERM
  if [ "$status" != 0 ] && [ -n "$up" ]; then
    compose ps --all || true
    compose logs --no-color --tail 50 || true
  fi
  [ -z "$up" ] || compose down --volumes --rmi local --timeout 20 >/dev/null 2>&1 || true
  for image in "${made[@]}"; do docker image rm "$image" >/dev/null 2>&1 || true; done
  if [ -n "$engine" ]; then
    kill "$engine" 2>/dev/null || true
    wait "$engine" 2>/dev/null || true
    # What it mounted for itself, the deepest first.
    awk -v below="$work/" 'index($2, below) == 1 { print $2 }' /proc/self/mounts | sort -r |
      while read -r mounted; do umount "$mounted" || true; done
  fi
  rm -rf --one-file-system "$work"
  [ -z "$reason" ] || say "$reason"
  exit "$status"
}

# --- images ------------------------------------------------------------------------------

# Whether IMAGE is here or can be pulled; then it is ours to remove only if it was not here.
obtain() { # IMAGE
  if docker image inspect "$1" >/dev/null 2>&1; then return 0; fi
  timeout 300 docker pull --quiet "$1" >"$work/pull.log" 2>&1 || return 1
  made=("$1" "${made[@]}")
}

# The mirror that this machine's packages come from.
mirror() {
  # shellcheck disable=SC2016 # apt's variables
  apt-get indextargets --format '$(COMPONENT) $(RELEASE) $(REPO_URI)' 'Created-By: Packages' |
    awk '$1 == "main" && ($2 == "trixie" || $2 == "bookworm") { print $3; exit }'
}

make_base() {
  local from
  from=$(mirror)
  [ -n "$from" ] || fail "$BASE can not be pulled, and apt names no mirror to make it from"
  say "$BASE can not be pulled: making it with debootstrap"
  debootstrap --variant=minbase --include=ca-certificates trixie "$work/root" "$from" \
    >"$work/debootstrap.log" 2>&1 || { tail -n 20 "$work/debootstrap.log"; fail 'debootstrap'; }
  rm -rf "$work/root/var/cache/apt" "$work"/root/var/lib/apt/lists/*
  tar -C "$work/root" --one-file-system -c . | docker import - "$BASE" >/dev/null
  rm -rf --one-file-system "$work/root"
  made=("$BASE" "${made[@]}")
}

# Debian's nats-server, with what the health check of docker-compose.yml calls.
make_server() { # IMAGE
  say "$1 can not be pulled: making it from Debian's nats-server"
  mkdir "$work/server"
  cat >"$work/server/Dockerfile" <<EOT
FROM $BASE
RUN apt-get update && apt-get install -y --no-install-recommends nats-server busybox \\
 && ln -s /bin/busybox /usr/local/bin/wget
ENTRYPOINT ["/usr/sbin/nats-server"]
EOT
  docker build --network host --tag "$1" "$work/server" >"$work/server.log" 2>&1 ||
    { tail -n 30 "$work/server.log"; fail "building $1"; }
  made=("$1" "${made[@]}")
}

# --- the project -------------------------------------------------------------------------

# Over the project's own file: a free port, no restarts that would hide an end, nothing that
# could serve as a shell, and for our own engine the host's network while building.
write_override() {
  cat >"$work/override.yml" <<EOT
services:
  nats:
    restart: "no"
  errata:
    restart: "no"
    volumes:
      - /dev/null:/usr/bin/dash:ro
      - /dev/null:/usr/bin/bash:ro
EOT
  [ -z "$engine" ] || printf '    build:\n      network: host\n' >>"$work/override.yml"
}

compose() { docker compose --project-name "$PROJECT" -f docker-compose.yml -f "$work/override.yml" "$@"; }

container() { compose ps --all --quiet "$1"; }
look() { docker inspect --format "$2" "$1"; }
size() { docker image inspect --format '{{.Size}}' "$1"; }

free_port() {
  local port
  for ((port = 20000 + RANDOM % 10000; ; port++)); do
    (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || { echo "$port"; return 0; }
  done
}

check_health() {
  local service
  for service in nats errata; do
    [ "$(look "$(container "$service")" '{{.State.Health.Status}}')" = healthy ] || fail "$service is not healthy"
  done
}

check_answers() {
  local reply
  reply=$(compose run --rm --no-deps -T errata explain --remote --json 'nats: error: stream not found (10059)') ||
    fail "errata explain --remote ended with status $?"
  grep -q -E '"errorCode": ?"?10059' <<<"$reply" || fail "not the record of 10059: $reply"
  [ -x build/errata ] || return 0
  NATS_URL=nats://127.0.0.1:$NATS_PORT build/errata get --remote 10059 >"$work/page" ||
    fail 'the published port does not lead to the responder'
}

check_confinement() {
  local pid id
  id=$(container errata)
  pid=$(look "$id" '{{.State.Pid}}')
  awk '$1 == "Uid:" || $1 == "Gid:" { for (i = 2; i <= NF; i++) if ($i == 0) exit 1 }' "/proc/$pid/status" ||
    fail 'the responder runs as root'
  awk '$2 == "/" && $4 ~ /^ro(,|$)/ { found = 1 } END { exit !found }' "/proc/$pid/mounts" ||
    fail 'the root file system is not read-only'
  [ "$(look "$id" '{{index .Path}}')" = /usr/bin/errata ] || fail 'the entry point goes through another program'
}

check_size() {
  local added
  added=$(($(size "$(look "$(container errata)" '{{.Image}}')") - $(size "$BASE")))
  say "the image adds $((added / 1000)) kB to its base"
  [ "$added" -lt "$MOST_ADDED" ] || fail "the image adds $added bytes to its base, $MOST_ADDED are allowed"
}

check_stop() {
  local id
  id=$(container errata)
  compose stop errata >/dev/null 2>&1
  [ "$(look "$id" '{{.State.Status}} {{.State.ExitCode}}')" = 'exited 0' ] ||
    fail "errata ended with status $(look "$id" '{{.State.ExitCode}}')"
}

main() {
  local server
  trap clean_up EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  command -v docker >/dev/null || skip 'the docker command is not installed'
  docker info >/dev/null 2>&1 || start_engine
  docker compose version >/dev/null 2>&1 || skip 'docker compose is not installed'
  NATS_PORT=$(free_port)
  export NATS_PORT
  write_override
  obtain "$BASE" || make_base
  server=$(compose config --images nats)
  obtain "$server" || make_server "$server"
  up=yes
  say 'docker compose up --build --wait'
  compose up --build --wait --wait-timeout 120 >"$work/up.log" 2>&1 ||
    { tail -n 60 "$work/up.log"; fail 'docker compose up'; }
  check_health
  check_answers
  check_confinement
  check_size
  check_stop
  say 'all is well'
}

main
