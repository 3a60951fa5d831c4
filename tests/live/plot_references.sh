# SPDX-License-Identifier: BSD-2-Clause
# long
# Each kind of picture looks as in references/, light and dark; all texts have a contrast of 4.5 or more; print is one
# page. After a change on purpose: PK_NEW_REFERENCES=1 make check T=plot_references, and look at them.
. "$PK_TOP/tests/live/browser.bash"
. "$PK_TOP/tests/cli/pk-plot/spans.bash"
data=$PK_TOP/tests/data
{
	header
	sched_events
	comm 1 1 first
	comm 2 2 second
	switch 1000 0 0 1
	switch 1200 0 1 0
	wakeup 1300 1 2 1
	switch 1310 0 0 1
	switch 1500 0 1 0
	wakeup 1600 0 1 2
	switch 1650 1 0 2
	switch 1900 1 2 0
} | assemble | pk-span -q sched --pass >states.pk
printf 'a;b 10 20\na;c 30 10\na;d;e 10 10\na;d;f 5 1\n' >two.folded
pk-span -q --name interval --start sys_enter_write --end sys_enter_write --key tid "$data/arm64.pk.zst" >intervals.pk
{
	pk-plot flame "$PK_TOP/demo/demo.pk" >flame.svg
	pk-plot flame two.folded >diff.svg
	pk-plot chart --colors module "$data/s390x.pk.zst" >chart.svg
	pk-plot heatmap intervals.pk >heatmap.svg
	pk-plot heatmap --subsecond "$PK_TOP/demo/demo.pk" >subsecond.svg
	pk-plot timeline intervals.pk >timeline.svg
	pk-plot timeline states.pk >states.svg
	pk-plot histogram intervals.pk >histogram.svg
} 2>messages
python3 -B "$PK_TOP/tests/live/plot_references.py" "$PK_TOP/tests/live/references" \
	"file://$PWD"/{flame,diff,chart,heatmap,subsecond,timeline,states,histogram}.svg
