# SPDX-License-Identifier: BSD-2-Clause
# Kinds of spans are different quantities: heat maps and histograms keep them apart, also in the rest of the groups.
. "$PK_TOP/tests/cli/pk-span/scenes.bash"
{
	echo 'event block:block_rq_insert u32 dev, u64 sector, u32 nr_sector, u32 bytes, text rwbs, text comm'
	echo 'event block:block_rq_issue u32 dev, u64 sector, u32 nr_sector, u32 bytes, text rwbs, text comm'
	echo 'event block:block_rq_complete u32 dev, u64 sector, u32 nr_sector, int error, text rwbs'
	for i in {1..6}; do
		op=W
		((i < 3)) || op=R
		((i < 6)) || op=D
		echo "$((i * 1000)) 5 0 block_rq_insert 8388608 $i 8 4096 $op dd"
		echo "$((i * 1000 + 3)) 5 0 block_rq_issue 8388608 $i 8 4096 $op dd"
		echo "$((i * 1000 + 203)) 0 0 block_rq_complete 8388608 $i 8 0 $op"
	done
} | try block >/dev/null
pk-span -q block block.pk >spans.pk
echo "== histogram"
pk-plot histogram --text spans.pk
echo "== one kind: as without groups"
pk-plot histogram --text --event pk:queue spans.pk
echo "== all as one"
pk-plot histogram --csv --by none spans.pk
echo "== groups, and the rest"
pk-plot histogram --csv --by rwbs spans.pk
pk-plot histogram --csv --by rwbs --groups 2 spans.pk
echo "== the event is a group"
pk-plot histogram --csv --by event,rwbs --groups 1 spans.pk
echo "== heat maps"
for option in '' --subsecond '--by rwbs --groups 1'; do
	# shellcheck disable=SC2086 # options
	pk-plot heatmap $option spans.pk | grep -oE '(by time|by second): [^<]*'
done
echo "== sums of kinds"
pk-fold --by none spans.pk 2>&1 >/dev/null | grep kinds
pk-fold --by none --event pk:queue spans.pk 2>&1 >/dev/null | grep kinds
pk-fold --by event spans.pk 2>&1 >/dev/null | grep kinds
exit 0
