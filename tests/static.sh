#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Builds the tarball of static programs (make dist-static), unpacks it in a folder, and runs the programs in a chroot that has
# nothing else: no C library, no /proc. Streams also go to the programs of the normal build, and the results are compared.
# Needs root, musl-gcc and Debian's source packages; exit 77 skips.
set -eu -o pipefail
cd "$(dirname "$0")/.."
build=${B:-build}
skip()
{
	echo "tests/static.sh: skipped: $*" >&2
	exit 77
}
command -v musl-gcc >/dev/null || skip "no musl-gcc (musl-tools)"
[ "$(id -u)" = 0 ] || skip "chroot needs root"
rm -f "$build"/pk-*-"$(uname -m)".tar.gz
make --no-print-directory B="$build" dist-static
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
run()
{
	chroot "$root" "$@"
}
tar -xzf "$build"/pk-*-"$(uname -m)".tar.gz -C "$root" --strip-components=1

for tool in "$root"/bin/*; do
	[ -z "$(readelf -d "$tool" | grep NEEDED || :)" ]
	chroot "$root" "/bin/${tool##*/}" --help >"$root/help"
	[ -s "$root/help" ]
done
for tool in pk-record pk-inject pk-merge-callchains; do
	size=$(stat -c %s "$root/bin/$tool")
	echo "$tool: $size bytes, stripped"
	[ "$size" -lt 2000000 ]
done
musl-gcc -static -O1 -fno-omit-frame-pointer -o "$root/spin" -x c - <<'END'
__attribute__((noinline)) static void turn(void)
{
	for (volatile long i = 0; i < 300000000; i++)
		;
}
int main(void)
{
	turn();
	return 0;
}
END

run /bin/pk-record -q -g -e cpu-clock:u -F 997 -- /spin >"$root/recorded"
run /bin/pk-inject --build-ids <"$root/recorded" | run /bin/pk-merge-callchains >"$root/merged"
"$build/bin/pk-fold" <"$root/merged" 2>"$root/messages" >"$root/folded"
ns=$(awk '/^spin;/ { n += $NF } END { print n + 0 }' "$root/folded")
echo "time of /spin, recorded in an empty chroot: $((ns / 1000000)) ms"
[ "$ns" -ge 20000000 ]

# The whole pipeline, there.
run /bin/pk-symbolize <"$root/recorded" >"$root/symbolized" 2>>"$root/messages"
run /bin/pk-fold <"$root/symbolized" 2>>"$root/messages" | sort >"$root/inside"
"$build/bin/pk-fold" <"$root/symbolized" 2>>"$root/messages" | sort | cmp - "$root/inside"
grep -q 'main;turn ' "$root/inside"
run /bin/pk -q flame -o /flame.svg -- /spin
xmllint --noout "$root/flame.svg"
grep -q '>turn<' "$root/flame.svg"
run /bin/pk -q report -- /spin | grep -q '\] turn *$'
if run /bin/pk-export sqlite -o /db.sqlite <"$root/symbolized" 2>"$root/messages"; then exit 1; fi
grep -q 'has no SQLite' "$root/messages"
