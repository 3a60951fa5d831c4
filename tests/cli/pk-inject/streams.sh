# SPDX-License-Identifier: BSD-2-Clause
# All golden streams, good and bad, one after the other: records pass as they are, in their order; what was
# added is well-formed.
cd "$PK_TOP/format/vectors" || exit
records()
{
	pk-script --dump 2>/dev/null | grep -E '^[0-9]+ [A-Z]' | grep -v EVENT_UPDATE | cut -d ' ' -f 2-
}
pk-filter -q good/*.pk bad/*.pk 2>/dev/null | records >"$TMPDIR/filter"
pk-inject -q --symfs=/nonexistent good/*.pk bad/*.pk 2>/dev/null | records >"$TMPDIR/inject"
diff "$TMPDIR/filter" "$TMPDIR/inject" | head -n 20
[ "$(wc -l <"$TMPDIR/inject")" -gt 1000 ] || echo "there are few records"
