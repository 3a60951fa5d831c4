# SPDX-License-Identifier: BSD-2-Clause
# little-endian: what is printed about streams of the other byte order
# Samples that perf would stop at are dropped and counted; what cannot be decoded keeps its place, with its
# bytes; the definitions of the others' stacks come before them.
cd "$PK_TOP/format/vectors/bad" || exit

# One line for each record of the output: its fields, but for those of this run (STAGE) and of attrs.
records()
{
	awk '/^[0-9]+ / {
			if (line) print line
			line = $2 ($3 ~ /^type=/ ? "" : substr($0, index($0, $2) + length($2)))
			next
		}
		/^  definition=2 / { line = "" }
		!line || /^  (attr_|sample_|wakeup|config|flags=0x4)/ { next }
		{ sub(/^  /, " "); line = line $0 }
		END { if (line) print line }' | sed 's/^EVENT_UPDATE subtype=[^ ]* id=0 definition=[0-9]* //'
}
for f in sample-short-le sample-callchain-le sample-id-le attr-bits-le map-ends cut-record-le no-end-then-another; do
	echo "== $f"
	{ pk-symbolize --kallsyms=/dev/null $f.pk >"$TMPDIR/out.pk"; } 2>&1
	echo "status $?"
	pk-script --dump "$TMPDIR/out.pk" 2>&1 >"$TMPDIR/dump" | sed "s|$TMPDIR|TMP|"
	grep -v '^FILE ' "$TMPDIR/dump" | records
done
exit 0
