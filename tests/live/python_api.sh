# SPDX-License-Identifier: BSD-2-Clause
# The Python package: reading, lifetimes, damage, writing, columns.
# shellcheck source-path=SCRIPTDIR
. "$PK_TOP/tests/live/python.bash"
set -u
for f in x86_64 s390x arm64; do
	zstd -qdc "$PK_TOP/tests/data/$f.pk.zst" >$f.pk
	zstd -qdc "$PK_TOP/tests/data/$f.perf.zst" >$f.perf
done
cat x86_64.pk s390x.pk >two.pk
for _ in {1..20}; do
	cat x86_64.pk s390x.pk
done >many.pk
cp "$PK_TOP/format/vectors/good/sample-stacks-le.pk" small.pk
python "$PK_TOP/tests/live/python_api.py" "$PWD" >out 2>&1 || {
	cat out
	exit 1
}
