# SPDX-License-Identifier: BSD-2-Clause
# Samples that perf would stop at are dropped and counted; what cannot be decoded keeps its place.
cd "$PK_TOP/format/vectors/bad" || exit
for f in sample-short-le sample-callchain-le sample-id-le attr-bits-le map-ends cut-record-le no-end-then-another; do
	echo "== $f"
	{ pk-symbolize --kallsyms=/dev/null $f.pk >"$TMPDIR/out.pk"; } 2>&1
	echo "status $?"
	pk-script --dump "$TMPDIR/out.pk" 2>&1 >"$TMPDIR/dump" | sed "s|$TMPDIR|TMP|"
	grep -cE '^[0-9]+ SAMPLE' "$TMPDIR/dump"
	grep -c '^  definition=10 ' "$TMPDIR/dump"
done
exit 0
