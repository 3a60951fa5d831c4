# SPDX-License-Identifier: BSD-2-Clause
# long
# The CPU time in a heat map of processors is that of the spans, and of the samples of a clock.
exec 2>&1
. "$PK_TOP/tests/cli/pk-span/switches.bash"
{
	header
	both_events
	session
	tracing
	for ((i = 0; i < 400; i++)); do
		# CPU 0 runs 1, 2 and idles; CPU 2 runs 3 for a third of the time.
		switch $((1000 + i * 300)) 0 $((i % 3)) $(((i + 1) % 3)) 0
		[ $((i % 3)) != 0 ] || switch $((1000 + i * 300)) 2 0 3 0
		[ $((i % 3)) != 1 ] || switch $((1000 + i * 300)) 2 3 0 0
	done
	finish
} | assemble | pk-span -q sched >spans.pk

# The sum of the cells of each CPU. The cells are drawn from the last CPU on.
sums()
{
	local rows
	rows=$(sed -n 's/.*class="cells".* data-height="\([0-9]*\)".*/\1/p' picture.svg)
	sed -n 's/^<rect class="k.* y="\([0-9]*\)".* data-n="\([0-9]*\)".*/\1 \2/p' picture.svg |
		awk -v rows="$rows" '{ sum[rows - 1 - $1] += $2 } END { for (cpu in sum) print cpu, sum[cpu] }' | sort -n
}
pk-plot heatmap --utilization spans.pk >picture.svg
echo "status $?"
sums
echo "== as pk-report"
pk-report -q --csv --by cpu --show 'sum(trace.duration)' --event run spans.pk
sed -n 's/.*<title>\(.* CPU 0: .*\)<\/title>.*/\1/p; /<text class="heading"/p' picture.svg | head -n 5
echo "== by task"
pk-plot heatmap --utilization --by tid spans.pk >picture.svg
grep -o 'class="heading"[^<]*' picture.svg | sed 's/.*>//'
sums
echo "== other spans"
pk-plot heatmap --utilization --event delay spans.pk >picture.svg
sums
echo "== samples of a clock"
{
	header
	echo 'HEADER_ATTR attr_type=1 sample_period=1000000 id=7 sample_type=(IDENTIFIER IP TID TIME CPU PERIOD) flags=(sample_id_all)'
	name 7 cpu-clock
	for ((i = 1; i <= 1000; i++)); do
		echo "SAMPLE misc=(user) id=7 ip=0x1000 pid=1 tid=1 time=$((i * 1000000)) cpu=$((i / 300)) period=1000000"
	done
} | assemble >clock.pk
pk-plot heatmap --utilization clock.pk >picture.svg
sums
echo "== another event"
{
	header
	echo 'HEADER_ATTR attr_type=0 sample_period=1000 id=7 sample_type=(IDENTIFIER IP TID TIME CPU PERIOD) flags=(sample_id_all)'
	name 7 cycles
	echo 'SAMPLE misc=(user) id=7 ip=0x1000 pid=1 tid=1 time=5 cpu=1 period=1000'
} | assemble >cycles.pk
pk-plot heatmap --utilization cycles.pk >picture.svg
echo "status $?"
