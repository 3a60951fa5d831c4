# SPDX-License-Identifier: BSD-2-Clause
# Traces: instants of tracepoints, slices of spans and of processors, flows of wakeups; names; samples of other events; empty and damaged
# inputs; packets.
. "$PK_TOP/tests/cli/pk-span/switches.bash"
exec 2>&1
# Task 1 wakes 2 and goes to sleep; 2 runs, then 1 again, which is woken by an interrupt while the processor is idle.
stream()
{
	header
	both_events
	tracing
	echo "COMM pid=2 tid=2 comm=\"ev\\x1b\\\"il\""
	switch 10 0 0 1
	wakeup 20 0 1 2
	switch 30 0 1 2
	switch 40 0 2 0
	wakeup 45 0 0 1
	switch 50 0 0 1
	switch 50 3 0 4
	finish
}
json()
{
	pk-export trace "$@" | sed 's/pk-export [0-9.]*/pk-export VERSION/'
	echo "status ${PIPESTATUS[0]}"
}
stream | assemble >small.pk
json small.pk
echo "== spans, named by a field"
pk-span "${offcpu[@]}" --carry prev_comm small.pk >spans.pk
json --event pk:span --name prev_comm spans.pk
pk-export trace -q small.pk >expected
echo "== packets"
pk-export trace --perfetto small.pk | od -An -v -tx1 | head -n 12
echo "== no tracepoints"
{
	header
	event 1 7
	name 7 cpu-clock
	sample 7 5 16 1000 1
	sample 7 5 32 2000 1
} | assemble >clock.pk
json clock.pk
json --samples clock.pk
json </dev/null
echo "== cut: what can be read"
head -c $(($(stat -c %s small.pk) - 20)) small.pk | pk-export trace -o cut.json
echo "status $?"
grep -c '"ph"' cut.json
tail -n 1 cut.json
pk-export trace -o out.json.gz small.pk
gzip -dc out.json.gz | cmp - expected
stat -c %a out.json.gz
pk-export trace --perfetto -o small.pk small.pk
echo "status $?"
