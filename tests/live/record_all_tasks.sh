# SPDX-License-Identifier: BSD-2-Clause
# Sets of events that only a recording of all tasks makes complete are refused for some tasks.
. "$PK_TOP/tests/live/record.bash"
pk-record -q -e sched:sched_switch -o probe.pk -- true 2>err || skip "no tracepoints: $(head -n 1 err)"
for set in sched irq; do
	for target in '-- true' "-p $$" "-t $$"; do
		# shellcheck disable=SC2086 # options
		! pk-record -q -e $set -o out.pk $target 2>err || fail "-e $set $target is recorded"
		grep -q "record all tasks, with pk-record -a -e $set" err || fail "-e $set $target: $(cat err)"
		[ ! -e out.pk ] || fail "-e $set $target: there is an output"
	done
done
pk-record -q -a -e sched -o out.pk -- true 2>err || fail "-a: $(cat err)"
pk-record -q -C 0 -e sched -o out.pk -- true 2>err || fail "-C: $(cat err)"
pk-stat -e sched -- true >out 2>err || fail "pk-stat: $(cat err)"
exit 0
