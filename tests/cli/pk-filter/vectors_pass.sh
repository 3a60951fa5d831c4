# SPDX-License-Identifier: BSD-2-Clause
# long
# little-endian: what is printed about streams of the other byte order
# Every golden stream comes out as what it was: the same records, in our byte order, beside what a
# program that writes the stream adds to it. Unknown records of the other order are told of (LOSS).
cd "$PK_TOP/format/vectors/good" || exit
# Without SESSION, STAGE and END, and without offsets.
records()
{
	pk-script --dump "$1" 2>/dev/null | sed 's/^[0-9][0-9]* /RECORD /' |
		awk 'function flush() { if (keep) printf "%s", text; text = ""; keep = 1 }
			/^RECORD / { flush() }
			/^  definition=(1|2|10) / || / warning: / { keep = 0 }
			{ text = text $0 "\n" }
			END { flush() }' | sed 's/byte_order=big/byte_order=little/'
}
for f in *.pk; do
	pk-filter -q "$f" >"$TMPDIR/out.pk" 2>"$TMPDIR/err" || echo "$f: status $?: $(head -n 1 "$TMPDIR/err")"
	records "$f" >"$TMPDIR/before"
	records "$TMPDIR/out.pk" >"$TMPDIR/after"
	cmp -s "$TMPDIR/before" "$TMPDIR/after" || {
		echo "$f differs"
		diff "$TMPDIR/before" "$TMPDIR/after" | head -n 4
	}
done
# a filter behind a filter changes nothing but the number of stages
pk-filter like-perf-be.pk | pk-filter | pk-filter >"$TMPDIR/out.pk"
pk-script --dump "$TMPDIR/out.pk" | grep -A 6 'definition=2 ' | grep -E '^  (stage|parent|program|argv)'
