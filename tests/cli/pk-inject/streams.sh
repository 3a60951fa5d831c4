# SPDX-License-Identifier: BSD-2-Clause
# All golden streams, good and bad: records pass as they are, in their order; the status is that of
# pk-symbolize; what was added is well-formed.
status=0
cd "$PK_TOP/format/vectors" || exit
for f in good/*.pk bad/*.pk; do
	pk-filter -q "$f" 2>/dev/null | pk-script --dump 2>/dev/null | grep -E '^[0-9]+ [A-Z]' |
		grep -v EVENT_UPDATE | cut -d ' ' -f 2- >"$TMPDIR/filter"
	pk-inject -q --symfs=/nonexistent "$f" 2>/dev/null >"$TMPDIR/injected.pk"
	pk-script --dump "$TMPDIR/injected.pk" 2>/dev/null | grep -E '^[0-9]+ [A-Z]' | grep -v EVENT_UPDATE |
		cut -d ' ' -f 2- >"$TMPDIR/inject"
	cmp -s "$TMPDIR/filter" "$TMPDIR/inject" || {
		echo "$f: other records"
		diff "$TMPDIR/filter" "$TMPDIR/inject" | head -n 5
		status=1
	}
done
exit $status
