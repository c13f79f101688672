#!/bin/sh
# Fetches the grammars that `errata extract` is built with, as pinned in
# grammars.lock, checks each tarball's integrity and unpacks the C sources.
#
#   scripts/grammars.sh [FOLDER]     (default: build/grammars)
#
# A grammar that is there already in the pinned version is left alone, so a
# second run needs no network.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
folder=${1:-$here/../build/grammars}
lock=$here/grammars.lock

for tool in npm openssl tar; do
    command -v "$tool" >/dev/null 2>&1 || {
        echo "grammars.sh: $tool is needed" >&2
        exit 2
    }
done

mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

take() { # name version integrity folders...
    name=$1 version=$2 integrity=$3
    shift 3
    if [ "$(cat "$folder/$name/.integrity" 2>/dev/null)" = "$integrity" ]; then
        return 0
    fi
    (cd "$work" && npm pack --silent --ignore-scripts "$name@$version" >/dev/null)
    tarball=$work/$name-$version.tgz
    got=sha512-$(openssl dgst -sha512 -binary "$tarball" | openssl base64 -A)
    if [ "$got" != "$integrity" ]; then
        echo "grammars.sh: $name $version has integrity $got, not $integrity" >&2
        exit 1
    fi
    mkdir "$work/$name"
    members=
    for member in "$@"; do
        members="$members package/$member"
    done
    # shellcheck disable=SC2086
    tar -xzf "$tarball" -C "$work/$name" --strip-components=1 $members
    printf '%s\n' "$integrity" >"$work/$name/.integrity"
    rm -rf "${folder:?}/$name"
    mv "$work/$name" "$folder/$name"
    echo "$name $version"
}

grep -v -e '^#' -e '^$' "$lock" | while read -r name version integrity folders; do
    # shellcheck disable=SC2086
    take "$name" "$version" "$integrity" $folders
done
