# SPDX-License-Identifier: BSD-2-Clause
# A tracepoint that does not exist gets a caret below its name. Only a list of all tracepoints shows that it does not.
[ -d /sys/kernel/tracing/events/sched ] || [ -d /sys/kernel/debug/tracing/events/sched ] || {
	echo "no tracefs here" >&2
	exit 77
}
pk-record -o none.pk -e -1:5 -- true
