# SPDX-License-Identifier: BSD-2-Clause
# long
# Pictures in windows of 400, 1200 and 3000 pixels. A flame chart of many threads has a limited height, and says how many
# lanes it leaves out.
. "$PK_TOP/tests/live/browser.bash"
. "$PK_TOP/tests/cli/pk-plot/spans.bash"
random_switches 900 | assemble | pk-span -q sched --pass >spans.pk
pk-plot flame -q -o flame.svg "$PK_TOP/demo/demo.pk"
for kind in chart timeline heatmap histogram; do
	pk-plot $kind -q -o $kind.svg spans.pk
done
python3 -B "$PK_TOP/tests/live/plot_widths.py" "file://$PWD"/{flame,chart,timeline,heatmap,histogram}.svg 2>&1 | diff - <(
	for kind in flame chart timeline heatmap histogram; do
		for width in 400 1200 3000; do
			echo "$kind.svg $width [] []"
		done
	done
) || exit 1
${CC:-cc} -std=gnu11 -O1 -iquote "$PK_TOP/lib/base" -iquote "$PK_TOP/libpkstream" -o pools "$PK_TOP/bench/pools.c" \
	"$PK_BUILD/libpkstream.a" -lzstd -lpthread || { echo 'no compiler' >&2; exit 77; }
./pools 20000 200 300 50 >threads.pk
for lanes in '' --lanes=10000; do
	pk-plot chart -q $lanes -o threads.svg threads.pk
	drawn=$(grep -c 'class="lane"' threads.svg) height=$(sed -n 's/^<svg .* height="\([0-9]*\)".*/\1/p' threads.svg)
	left=$(grep -o '[0-9]* lanes with less time are not drawn (--lanes)' threads.svg)
	echo "${lanes:-usual}: $((drawn + ${left%% *} + 0)) lanes, low: $((height < 6000))"
done | diff - <(
	threads=$(pk-report -q --csv --by tid threads.pk | tail -n +2 | wc -l)
	printf '%s\n' "usual: $threads lanes, low: 1" "--lanes=10000: $threads lanes, low: 0"
)
