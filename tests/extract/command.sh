#!/bin/sh
# `errata extract` as a whole, over a small repository that this script makes: sites, new
# records, re-pinned records, releases, comparison, bad usage.
#
#   tests/extract/command.sh ERRATA
set -eu
case $1 in
/*) errata=$1 ;;
*) errata=$PWD/$1 ;;
esac
command -v git >/dev/null 2>&1 || {
    echo "left out: git is not installed"
    exit 77
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
export HOME="$work" XDG_CACHE_HOME="$work/cache" GIT_CONFIG_NOSYSTEM=1
repo=$work/repo

fail() {
    echo "command.sh: $*" >&2
    exit 1
}
expect() { # what, wanted, got
    [ "$2" = "$3" ] || fail "$1: wanted $2, got $3"
}
status() { # prints the exit status of a command
    rc=0
    "$@" >"$work/out" 2>"$work/err" || rc=$?
    echo "$rc"
}
commit() { # tag
    git -C "$repo" add -A
    GIT_AUTHOR_DATE='2026-03-01T10:00:00Z' GIT_COMMITTER_DATE='2026-03-01T10:00:00Z' \
        git -C "$repo" -c user.name=a -c user.email=a@b commit -q -m "$1"
    git -C "$repo" tag "$1"
}
sites() { # options: "message first last line", sorted
    "$errata" extract --repo own/code "$@" 2>"$work/err" |
        sed -n 's/.*"lineNumber":\([0-9]*\).*"errorMessage":"\([^"]*\)".*"versions":{"first":\([^,]*\),"last":\([^}]*\)}}$/\2|\3|\4|\1/p' |
        LC_ALL=C sort
}

mkdir -p "$repo"
git -C "$repo" init -q
cat >"$repo/a.go" <<'GO'
package a

func f(s *Server, err error) {
	s.Errorf("first message of %s", s.name)
	s.Warnf("second message")
}
GO
commit v1.0.0
cat >"$repo/a.go" <<'GO'
package a

func f(s *Server, err error) {
	// A line more.
	s.Errorf("first message of %s", s.name)
	s.Warnf("third message: %v", err)
}
GO
commit v1.1.0
printf 'package a\n\nfunc g(s *Server) { s.Fatalf("only a candidate has this") }\n' >"$repo/b.go"
commit v1.2.0-RC.1
rm "$repo/b.go"
cat >>"$repo/a.go" <<'GO'

func h() error { return errors.New("Third Message: new") }

func i(s *Server) { s.Errorf("FIRST MESSAGE OF %s", s.name) }
GO
commit v1.10.0
head=$(git -C "$repo" rev-parse HEAD)

# Sites of the work tree, pinned to HEAD.
expect 'status' 0 "$(status "$errata" extract --repo own/code "$repo")"
expect 'sites' 4 "$(wc -l <"$work/out" | tr -d ' ')"
grep -q "\"githubUrl\":\"https://github.com/own/code/blob/$head/a.go#L1-L23\"" "$work/out" || fail 'the URL is not pinned'
grep -q '"captureNames":\["server"\]' "$work/out" || fail 'no name for the capture'
grep -q '"sourceCodeStart":1,"sourceCodeEnd":11' "$work/out" || fail 'the excerpt has other lines'

# An older revision, without a checkout, also from a bare repository.
git clone -q --bare "$repo" "$work/bare"
expect 'older sites' 2 "$("$errata" extract --repo own/code --at v1.0.0 "$work/bare" | wc -l | tr -d ' ')"
expect 'bare HEAD' 4 "$("$errata" extract --repo own/code "$work/bare" | wc -l | tr -d ' ')"

# Releases: a candidate is none; what only an older one had comes last; twice the same from the cache.
want='FIRST MESSAGE OF %s|"v1.10.0"|null|11
Third Message: new|"v1.10.0"|null|9
first message of %s|"v1.0.0"|null|5
second message|"v1.0.0"|"v1.0.0"|5
third message: %v|"v1.1.0"|null|6'
expect 'releases' "$want" "$(sites --releases "$work/bare")"
[ -s "$work/cache/errata/own/code/facts" ] || fail 'no cache was kept'
expect 'releases from the cache' "$want" "$(sites --releases --jobs 1 "$work/bare")"
printf 'errata facts 1 nonsense\n\377\377\377\377' >"$work/cache/errata/own/code/facts"
expect 'releases with a damaged cache' "$want" "$(sites --releases "$work/bare")"
expect 'two tags' 'first message of %s|"v1.0.0"|null|5
second message|"v1.0.0"|"v1.0.0"|5
third message: %v|"v1.1.0"|null|6' "$(sites --tags v1.1.0,v1.0.0 --at v1.1.0 "$work/bare")"
expect 'an unknown tag' 2 "$(status "$errata" extract --repo own/code --tags v9.9.9 "$repo")"
grep -q 'there is no tag v9.9.9' "$work/err" || fail 'the unknown tag is not named'

# New records: one a message, a repeated text in alsoAt; nothing is written twice.
expect 'new records' 0 "$(status "$errata" extract --repo own/code --releases --new-records "$work/catalog" "$work/bare")"
expect 'files' './own/code/a.go/first-message-of-s.json
./own/code/a.go/second-message.json
./own/code/a.go/third-message-new.json
./own/code/a.go/third-message-v.json' "$(cd "$work/catalog" && find . -type f | LC_ALL=C sort)"
record=$work/catalog/own/code/a.go/first-message-of-s.json
grep -q '"a.go:11"' "$record" || fail 'the repeated text is not in alsoAt'
grep -q '"analyzedAt": "2026-03-01T10:00:00.000Z"' "$record" || fail 'analyzedAt is not the date of the commit'
cp -r "$work/catalog" "$work/before"
expect 'again' 0 "$(status "$errata" extract --repo own/code --releases --new-records "$work/catalog" "$work/bare")"
diff -r "$work/before" "$work/catalog" || fail 'a second run changed the catalog'

# Re-pinned: lines, URL and SHA move, every other byte stays.
sed -i 's/"documentation": ""/"documentation":  "kept \\u00e9 as it is"/' "$record"
printf '// One line above.\n%s\n' "$(cat "$repo/a.go")" >"$work/moved" && mv "$work/moved" "$repo/a.go"
commit v1.11.0
now=$(git -C "$repo" rev-parse HEAD)
cp "$record" "$work/old.json"
expect 'update' 0 "$(status "$errata" extract --repo own/code --update "$work/catalog" "$repo")"
grep -q '3 records pinned to .*, 1 whose message is gone' "$work/err" || fail 'the update counts otherwise'
sed -e "s/$head/$now/" -e 's/"lineNumber": 5/"lineNumber": 6/' -e 's/#L1-L23/#L1-L24/' -e 's/"a.go:11"/"a.go:12"/' "$work/old.json" |
    diff - "$record" || fail 'other bytes changed than lines, URL and SHA'

# Comparison of revisions, of files of sites.
expect 'diff' 0 "$(status "$errata" extract --diff v1.0.0 v1.1.0 "$repo")"
expect 'what changed' 'reworded a.go:6: "second message" is now "third message: %v"' "$(cat "$work/out")"
expect 'no diff' 1 "$(status "$errata" extract --diff v1.1.0 v1.1.0 "$repo")"
"$errata" extract --repo own/code --at v1.1.0 "$repo" >"$work/one" 2>/dev/null
"$errata" extract --repo own/code --at v1.10.0 "$repo" >"$work/two" 2>/dev/null
expect 'diff of files' 0 "$(status "$errata" extract --json --diff "$work/one" "$work/two")"
expect 'two were added' 2 "$(grep -c '"change":"added","before":null' "$work/out")"
expect 'a file that holds no sites' 2 "$(status "$errata" extract --diff "$record" "$work/two")"

# What can not be resolved is listed.
mkdir "$work/dark"
printf 'package a\n\nfunc f(s *S, e error) { s.Errorf(e.Error()) }\n' >"$work/dark/a.go"
expect 'nothing found' 1 "$(status "$errata" extract --repo own/code --sha "$head" --unresolved "$work/list" "$work/dark")"
expect 'the list' 'a.go:3: f: Errorf: the text of another error' "$(cat "$work/list")"

# Bad usage.
for words in '' '--repo own' '--repo ../x' '--repo own/code --sha 12' '--repo own/code --bad' '--repo own/code a b' \
    '--repo own/code --releases --tags v1' '--repo own/code --jobs 0' '--diff a' '--repo own/code --at -x'; do
    # shellcheck disable=SC2086
    expect "extract $words" 2 "$(cd "$repo" && status "$errata" extract $words)"
    [ -s "$work/err" ] || fail "extract $words says nothing"
done
expect 'no repository and no SHA' 2 "$(status "$errata" extract --repo own/code "$work/dark")"
expect 'no such folder' 2 "$(status "$errata" extract --repo own/code --sha "$head" "$work/none")"
expect 'help' 0 "$(status "$errata" extract --help)"
echo 'extract: all is as it should be'
