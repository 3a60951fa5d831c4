# SPDX-License-Identifier: BSD-2-Clause
# Ten million samples, records and columns leave no memory allocated.
# shellcheck source-path=SCRIPTDIR/../live
. "$PK_TOP/tests/live/python.bash"
[ -z "$PK_SAN" ] || {
	echo "the sanitizer has its own malloc" >&2
	exit 77
}
zstd -qdc "$PK_TOP/tests/data/x86_64.pk.zst" >once.pk
for _ in {1..500}; do cat once.pk; done >many.pk
python "$PK_TOP/tests/long/python_leak.py" many.pk 10000000 >out || exit 1
read -r samples rounds first last resident <out
echo "$samples samples in $rounds rounds: $first bytes in use after the second, $last at the end; largest resident set $resident KiB"
[ "$samples" -ge 10000000 ] && [ $((last - first)) -le 262144 ]
