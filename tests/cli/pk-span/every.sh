# SPDX-License-Identifier: BSD-2-Clause
# --every: the spans that are open at each multiple of a time, instead of spans.
. "$PK_TOP/tests/cli/pk-span/switches.bash"
{
	header
	both_events
	tracing
	wakeup 105 1 2 5
	wakeup 110 2 2 6
	wakeup 120 3 2 7
	switch 130 0 1 6
	wakeup 140 4 2 5
	switch 155 0 1 5
	wakeup 185 0 2 8
	finish
} | assemble >open.pk
every=(--name wait --start sched_wakeup --end sched_switch --key trace.pid=next_pid)
echo "== number"
pk-span -v "${every[@]}" --every 20us open.pk >out.pk 2>err
show out.pk
grep -E 'open:|starts?$|spans?$' err
pk-fold -q --by trace.pid out.pk
echo "== amount, and the end"
pk-span -q "${every[@]}" --level target_cpu --unfinished --every 50us open.pk | show | grep open:
echo "== long times without records"
pk-span -q "${every[@]}" --every 1ns open.pk | pk-report -q --by trace.pid --show samples
{
	header
	both_events
	tracing
	wakeup 100 1 2 5
	switch 18446744073709000 0 1 5
	finish
} | assemble >long.pk
pk-span -q "${every[@]}" --every 1us long.pk | pk-report -q --by trace.pid --show samples
pk-span --every 1us --critical open.pk
