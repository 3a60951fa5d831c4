# SPDX-License-Identifier: BSD-2-Clause
# The colours of a heat map depend on the numbers that occur: each colour has about the same number of cells. The legend has
# only the quantiles that are drawn. With --colors module, the frames show the names of functions.
. "$PK_TOP/tests/cli/stream.bash"
# COUNT, of cells with 1 to COUNT samples; one more cell has 1,000 samples
cells()
{
	header
	event 1 7
	name 7 cycles
	awk -v count="$1" 'BEGIN {
		for (i = 1; i <= count + 1; i++)
			for (k = 0; k < (i > count ? 1000 : i); k++)
				printf "SAMPLE misc=(user) id=7 ip=0x1000 pid=1 tid=1 time=%.0f period=1\n", i * 1000000000 + k }'
}
for count in 1 3 90; do
	cells $count | assemble | pk-plot heatmap --subsecond >map.svg
	echo "==== $count: cells by colour"
	grep -o 'rect class="k[0-9]*"' map.svg | sort -V | uniq -c
done
cells 20 | assemble >cells.pk
for quantiles in 50,90,99.99 99.99; do
	pk-plot heatmap --field period --quantiles "$quantiles" cells.pk | grep -o '>p[0-9.]*<' | tr '\n' ' '
	echo "of $quantiles"
done
. "$PK_TOP/tests/cli/pk-report/symbolized.bash"
symbolized | assemble | pk-plot flame --colors module --event cpu-clock >flame.svg
sed -n 's/.*<title>\([^<]*\)<.*<text[^>]*>\([^<]*\)<.*/\2: \1/p' flame.svg | grep -E '^(f|main|do_work)'
