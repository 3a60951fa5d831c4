# SPDX-License-Identifier: BSD-2-Clause
# Where recording is not allowed, that is what is said, and what to do.
. "$PK_TOP/tests/live/record.bash"

expect 1 'no such process' pk-record -e cpu-clock -p 4194305
! may_record_all || expect 1 'too many open files: .*raise ulimit -n' bash -c 'ulimit -n 10; exec pk-record -a -e cpu-clock,task-clock,page-faults,cs,faults,minor-faults,major-faults,migrations -- true'

if [ "$(id -u)" != 0 ] || ! command -v setpriv >/dev/null; then exit 0; fi
chmod 777 .
cp "$PK_BUILD/tests/live/spinner" . # nobody may not see into the checkout
as_nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
"${as_nobody[@]}" pk-record -e cpu-clock:u -o nobody.pk -- true 2>err || skip "nobody may not record: $(cat err)"
check nobody.pk
# Old files that --keep cannot list are not taken for no files.
mkdir -m 333 blind
expect 0 'old files stay: the directory of the output cannot be read: Permission denied' \
	"${as_nobody[@]}" pk-record -e cpu-clock:u --split 1h --keep 1 -o 'blind/%Y.pk' -- true
paranoid=$(cat /proc/sys/kernel/perf_event_paranoid)
if [ "$paranoid" = 2 ]; then
	expect 0 'perf_event_paranoid is 2: recording user space only' "${as_nobody[@]}" pk-record -e cpu-clock -- ./spinner 0.2
	check out
	at_least "$(records $SAMPLE)" 20 "samples in user space"
	expect 1 'all processes.*perf_event_paranoid is 2: set it to 0' "${as_nobody[@]}" pk-record -a -e cpu-clock
	expect 1 "belongs to another user" "${as_nobody[@]}" pk-record -e cpu-clock:u -p 1
fi
# What a probe is in has to be seen by its whole path.
seen=$(mktemp -d)
trap 'rm -r "$seen"' EXIT
chmod 755 "$seen"
cp spinner "$seen"
if [ -e /sys/bus/event_source/devices/uprobe ] && "${as_nobody[@]}" test -r "$seen/spinner"; then
	expect 1 'Permission denied: probes need root' "${as_nobody[@]}" pk-record -x "$seen/spinner" --probe main -- true
fi
expect 0 'rings of .* KiB instead of 65,536' "${as_nobody[@]}" pk-record -m 64M -e cpu-clock:u -- true
check out
exit 0
