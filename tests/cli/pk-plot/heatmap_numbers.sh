# SPDX-License-Identifier: BSD-2-Clause
# The cells of heat maps and the bars of histograms are the sums of the samples, as pk-script --json prints them.
exec 2>&1
. "$PK_TOP/tests/cli/stream.bash"
{
	header
	event 1 7
	name 7 cycles
	awk 'BEGIN { srand(11); time = 5123456789
		for (i = 0; i < 12000; i++) {
			time += int(rand() * 2000000)
			printf "SAMPLE misc=(user) id=7 ip=0x1000 pid=1 tid=%d time=%.0f period=%.0f\n", 1 + int(rand() * 5), time,
				1 + 2 ^ (rand() * 30) } }'
} | assemble >random.pk
pk-script -q --json -F time,tid,period random.pk >random.jsonl
compare()
{
	local keys=$1
	shift
	pk-plot "$@" random.pk >picture.svg
	# shellcheck disable=SC2086 # words on purpose
	echo "$* $(perl "$PK_TOP/tests/cli/pk-plot/cells.pl" picture.svg $keys <random.jsonl)"
}
compare '' heatmap --field period
compare '' heatmap --field period --width 300 --height 60 --quantiles none
compare '' heatmap --field period --scale linear
compare 'max=1000000' heatmap --field period --scale linear --max 1000000
compare 'min=1000 max=200000' heatmap --field period --min 1000 --max 200000
compare '' heatmap --field period --scale log2
compare '' heatmap --field period --scale log10
compare 'by=tid' heatmap --field period --by tid
compare 'by=tid' heatmap --field period --by tid --groups 2
compare 'weight=period' heatmap --field period --weight period
compare 'y=second' heatmap --subsecond
compare '' histogram --field period
compare '' histogram --field period --scale hdr
compare 'max=100000' histogram --field period --scale linear --max 100000
compare '' histogram --field period --scale linear --step 1000000
compare '' histogram --field period --scale log2 --step 1000
compare '' histogram --field period --scale log10
compare 'by=tid' histogram --field period --by tid
compare 'by=tid weight=period' histogram --field period --by tid --weight period --groups 1
# The table and the rows have the same sums.
pk-plot histogram --field period --csv random.pk | tail -n +2 >rows
pk-plot histogram --field period --text random.pk | tail -n +2 | tr -d '>:|*-' |
	awk '{ print "\"\"," $1 "," $2 "," $3 }' | diff - rows && awk -F, '{ sum += $4 } END { print sum }' rows
