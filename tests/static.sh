#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Builds the static programs (make STATIC=1) and runs them in a chroot that has nothing else: no C library, no /proc.
# Their streams go to the programs of the normal build. Needs root, musl-gcc and Debian's source packages; exit 77 skips.
set -eu -o pipefail
cd "$(dirname "$0")/.."
bin=${B:-build}/bin
skip()
{
	echo "tests/static.sh: skipped: $*" >&2
	exit 77
}
command -v musl-gcc >/dev/null || skip "no musl-gcc (musl-tools)"
[ "$(id -u)" = 0 ] || skip "chroot needs root"
make --no-print-directory STATIC=1
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

for tool in pk-record pk-inject pk-merge-callchains; do
	strip -o "$root/$tool" build-static/bin/$tool
	size=$(stat -c %s "$root/$tool")
	echo "$tool: $size bytes, stripped"
	[ "$size" -lt 1500000 ]
	[ -z "$(readelf -d "$root/$tool" | grep NEEDED || :)" ]
done
musl-gcc -static -O1 -o "$root/spin" -x c - <<'END'
int main(void)
{
	for (volatile long i = 0; i < 300000000; i++)
		;
}
END

chroot "$root" /pk-record -q -g -e cpu-clock:u -F 997 -- /spin |
	chroot "$root" /pk-inject --build-ids |
	chroot "$root" /pk-merge-callchains |
	"$bin/pk-fold" 2>"$root/messages" >"$root/folded"
ns=$(awk '/^spin;/ { n += $NF } END { print n + 0 }' "$root/folded")
echo "time of /spin, recorded in an empty chroot: $((ns / 1000000)) ms"
[ "$ns" -ge 20000000 ]
