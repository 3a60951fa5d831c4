# SPDX-License-Identifier: BSD-2-Clause
# little-endian: what is printed about streams of the other byte order
# What was whole is written, without END behind what was cut, and the status is 1.
cd "$PK_TOP/format/vectors/bad" || exit
for f in cut-record-le cut-header no-end-le no-end-then-another size-0-le second-is-file short-kernel-le \
	attr-none-le attr-bits-le sample-id-le sample-short-le sample-callchain-le sample-read-le sample-raw-le; do
	echo "== $f"
	{ pk-filter $f.pk >"$TMPDIR/out.pk"; } 2>&1
	echo "status $?"
	pk-script --dump "$TMPDIR/out.pk" 2>/dev/null | grep -cE '^[0-9]+ SAMPLE'
	pk-script --dump "$TMPDIR/out.pk" 2>/dev/null | grep -c '^  definition=10 '
done
exit 0
