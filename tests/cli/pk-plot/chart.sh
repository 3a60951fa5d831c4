# SPDX-License-Identifier: BSD-2-Clause
# Flame charts: what samples stand for, frames that continue, spans inside of spans, and sums.
. "$PK_TOP/tests/cli/pk-plot/spans.bash"
exec 2>&1
picture()
{
	echo "$ pk-plot chart $*"
	pk-plot chart "$@" >picture.svg
	echo "status $?"
	xmllint --noout picture.svg && without_code picture.svg | grep -v '^<line'
}
{
	header
	event_of 7 'PERIOD CALLCHAIN'
	name 7 cpu-clock
	comm 5 5 work
	maps 5 0x1000 0x1000 /none/a
	maps 5 0x2000 0x1000 /none/b
	stack()
	{
		local ips='' at=0 ip
		for ip in "${@:2}"; do
			ips+=" ips[$((at++))]=$ip"
		done
		sample_of user 7 5 "$2" time="$1" period=1000000 "nr=$at$ips"
	}
	stack 2000000 0x1100 0x2100
	stack 3000000 0x2100
	stack 4100000 0x1100 0x2100
	stack 9000000 0x1100
} | assemble >samples.pk
picture --width=820 samples.pk
picture --width=820 --by=pid --modules --lanes=1 --colors=module samples.pk
# Functions: nested spans.
perl "$PK_TOP/tests/cli/pk-span/presets.pl" formats <<'S' >body
event probe:outer u64 x
event probe:outer__return u64 x
event probe:inner u64 x
event probe:inner__return u64 x
100 5 0 outer 1
120 5 0 inner 1
150 5 0 inner__return 1
160 5 0 inner 1
170 5 0 inner__return 1
200 5 0 outer__return 1
200 5 0 inner 1
230 5 0 inner__return 1
S
{ header; cat body; } | assemble >calls.pk
pk-span -q functions calls.pk | picture --width=820
pk-plot chart /nonexistent
picture --by=nothing samples.pk | head -n 3
# All samples of the demo: the widths of the first row are its sampling intervals.
pk-plot chart -q "$PK_TOP/demo/demo.pk" >demo.svg
perl -ne '
	$all = $1 if /class="axis".*data-all="(\d+)"/;
	$width = $1 if /class="frames".* data-width="([\d.]+)"/;
	$row = $1 if /data-row="(\d+)"/;
	$sum += $1 if defined $row && $row == 0 && /<rect x="[\d.]+" width="([\d.]+)"/;
	$lanes += $1 if /class="lane".*: ([\d.]+) ms</;
	END { my $ms = $sum / $width * $all / 1e6; printf "%s\n", abs($ms - $lanes) < 0.2 ? "sums agree" : "$ms, not $lanes" }' demo.svg
# Spans with stacks: these are not drawn, so nothing is looked up.
{
	header
	tracing
	both_events CALLCHAIN
	name 9 sched:sched_switch
	for i in 1 2 3 4; do
		switch "${i}000" 0 $((1 - i % 2)) $((i % 2)) 1 nr=1 "ips[0]=$((0x1000 + i))"
	done
} | assemble | pk-span -q sched >stacks.pk
pk-plot chart stacks.pk >picture.svg
pieces picture.svg | wc -l
