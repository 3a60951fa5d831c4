# SPDX-License-Identifier: BSD-2-Clause
# A recording of an old version of simpleperf: the size of TRACING_DATA includes the payload and padding.
data=$PK_TOP/tests/cli/pk-script/simpleperf.data
pk-script "$data" 2>&1 | grep sched_switch | head -n 2
pk-script --dump "$data" | grep -A 1 ' TRACING_DATA'
# Another program of pk reads what one writes.
pk-filter -q "$data" | pk-script --stats | grep -E 'TRACING_DATA|SAMPLE'
# Cut within the payload, and within the padding.
for size in 2000 2520; do
	{ head -c $size "$data" | pk-script --stats >stats; } 2>&1
	grep TRACING_DATA stats
done
