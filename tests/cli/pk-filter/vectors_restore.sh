# SPDX-License-Identifier: BSD-2-Clause
# long
# Golden streams whose names are anonymized and restored: what is back has the same aliases.
# records FILE: without the stages, whose ids and times differ, and where records begin
records()
{
	pk-script -q --json "$1" | grep -v '"definition_name":"\(STAGE\|SESSION\|END\|ORDER\)"'
}

for file in "$PK_TOP"/format/vectors/good/*-le.pk; do
	rm -f k
	pk-filter -q --anonymize --keep=raw,stack,regs,iregs --keep-key k "$file" >a.pk 2>/dev/null
	pk-filter -q --restore k a.pk >b.pk 2>err || ! grep -q '^name' k || cat err
	pk-filter -q --anonymize --keep=raw,stack,regs,iregs --keep-key k b.pk >c.pk 2>/dev/null
	cmp -s <(records a.pk 2>/dev/null) <(records c.pk 2>/dev/null) || echo "$(basename "$file"): differs"
	grep -q '^name' k || continue
	cmp -s <(records a.pk 2>/dev/null) <(records b.pk 2>/dev/null) && echo "$(basename "$file"): nothing is back"
done
exit 0
