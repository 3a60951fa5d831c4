# SPDX-License-Identifier: BSD-2-Clause
# Tracepoints by name and by pattern, with what is needed to print their fields.
. "$PK_TOP/tests/live/record.bash"

pk-record -e sched:sched_switch -o probe.pk -- true 2>err || skip "no tracepoints here: $(head -n 1 err)"
pk-record -e 'sched:sched_process_*,sched:sched_switch,cpu-clock' -g -- sh -c 'true & sleep 0.1; wait' >out.pk 2>err ||
	fail "$(cat err)"
silent err
check out.pk
at_least "$(records 64)" 5 events
at_least "$(records 66)" 1 "tracing data"
at_least "$(records $SAMPLE)" 3 samples
perf_reads out.pk
[ ! -e text ] || grep -q 'sched:sched_process_exec: filename=.*/sleep' text || fail "fields are not printed"

pk-record -e sched:no_such_thing -- true >out 2>err
[ $? = 2 ] || fail "not a usage error"
grep -q "no such tracepoint as sched:no_such_thing" err || fail "said: $(cat err)"
pk-record -e 'no_such_*:x' -- true >out 2>err
[ $? = 2 ] || fail "not a usage error"
[ ! -s out ] || fail "something was written"
exit 0
