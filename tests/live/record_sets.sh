# SPDX-License-Identifier: BSD-2-Clause
# long
# Sets of events: -e NAME records each event of the set that the kernel has, and reports the others.
. "$PK_TOP/tests/live/record.bash"

[ "$(id -u)" = 0 ] || skip "needs root"
pk-record -q -e sched:sched_switch -o probe.pk -- true 2>probe.err || skip "no tracepoints: $(head -n 1 probe.err)"
# From the folders: a reader of available_events can miss an event while another test removes its own.
events=$(cd /sys/kernel/tracing/events && printf '%s\n' */*/ | sed 's|/$||; s|/|:|')

# names FILE: the events of a recording
names()
{
	pk-script --header-only --events "$1" 2>/dev/null | sed -n 's/^\(.*\): type: [0-9].*/\1/p'
}

sed ':again; /\\$/ { N; s/\\\n[ \t]*/ /; b again }' "$PK_TOP/share/pk/views" >sets
for name in $(sed -n 's/^events \([a-z]*\):.*/\1/p' sets); do
	[ "$name" != functions ] || continue
	# Some sets are of all tasks only. What a busy machine loses does not matter here.
	pk-record -a -e "$name" -o set.pk -- true 2>err
	status=$?
	sed -i '/ samples lost: the rings were full/d' err
	tracepoints=$(sed -n "s/^events $name: \([^#]*\)  #.*/\1/p" sets | sed 's/--formats [^ ]*//' |
		grep -oE '(^| )[a-z0-9_]+:[a-z0-9_]+' | tr -d ' ')
	has=$(grep -Fx "$events" <<<"$tracepoints")
	lacks=$(grep -Fxv "$events" <<<"$tracepoints")
	if [ -z "$tracepoints" ] && [ ! -e /sys/bus/event_source/devices/uprobe ]; then
		[ $status != 0 ] || fail "$name: recorded without uprobes"
		continue
	elif [ -z "$tracepoints" ]; then
		[ $status = 0 ] || fail "$name: $(cat err)"
	elif [ -z "$has" ]; then
		[ $status != 0 ] || fail "$name: none of its events exists, and yet recorded"
		continue
	else
		[ $status = 0 ] || fail "$name: $(cat err)"
		[ "$(names set.pk | grep : | grep -v -e / -e '^dummy:')" = "$has" ] || fail "$name: $(names set.pk)"
	fi
	if [ -n "$lacks" ]; then
		[ "$(cat err)" = "pk-record: -e $name: this machine does not have ${lacks//$'\n'/, }" ] || fail "$name: $(cat err)"
	else
		silent err
	fi
done

# Without any of its events, the first one says why: here a probe of a library.
mkdir -p none/bus/event_source/devices
SYSFS_PATH=$PWD/none pk-record -e malloc -o none.pk -- true 2>err && fail "malloc: recorded without uprobes"
grep -q '^pk-record: .*uprobe' err && ! grep -q 'No such file' err || fail "malloc without uprobes: $(cat err)"

# The set syscalls describes the arguments of all system calls, but does not record their tracepoints.
calls=$(grep -c '^syscalls:sys_enter_' <<<"$events")
if [ "$calls" != 0 ]; then
	pk-record -e syscalls -o calls.pk -- true 2>err || fail "syscalls: $(cat err)"
	silent err
	check calls.pk
	at_least "$(records $SAMPLE)" 10 "system calls"
	[ "$(grep -ac 'name: sys_enter_' calls.pk)" = "$calls" ] || fail "the stream describes not all system calls"
	grep -aq 'field:const char \* filename' calls.pk || fail "no names of arguments"
	[ "$(grep -ac '^print fmt: ""$' calls.pk)" = "$calls" ] || fail "texts of events that are not recorded"
	perf_reads calls.pk
	pk-script calls.pk >own 2>err || fail "pk-script: $(cat err)"
	at_least "$(grep -c 'raw_syscalls:sys_enter: NR ' own)" 5 "texts of system calls"
	# Recorded tracepoints keep their text.
	pk-record -e syscalls,syscalls:sys_enter_brk -o calls.pk -- true 2>err || fail "sys_enter_brk: $(cat err)"
	[ "$(grep -ac '^print fmt: ""$' calls.pk)" = $((calls - 1)) ] || fail "the text of sys_enter_brk is missing"
	[ "$(grep -ac 'name: sys_enter_brk$' calls.pk)" = 1 ] || fail "sys_enter_brk is described twice"
fi

# The user's file adds sets. Their probes are those of the object of -x.
export XDG_CONFIG_HOME=$PWD/config
mkdir -p config/pk
cat >config/pk/views <<'V'
events own: page-faults/period=1/ no:such {sched:sched_switch,sched:sched_wakeup}:S nothing  # own events
events none: no:such nor:such
V
pk-record -e own,cpu-clock -o own.pk -- true 2>err || fail "own: $(cat err)"
[ "$(cat err)" = "pk-record: -e own: this machine does not have no:such, nothing" ] || fail "own: $(cat err)"
[ "$(names own.pk | paste -sd' ')" = "page-faults sched:sched_switch sched:sched_wakeup cpu-clock" ] || fail "own: $(names own.pk)"
pk-record -e none -- true >out 2>err && fail "none: recorded"
grep -q "no such tracepoint as no:such" err || fail "none: $(cat err)"
pk-record --list own | grep -q '^own  *set of events: own events$' || fail "own is not listed"
pk-stat -e own -- true 2>err || fail "pk-stat: $(cat err)"
grep -q 'sched:sched_switch' err || fail "pk-stat: $(cat err)"
if [ -e /sys/bus/event_source/devices/uprobe ] && command -v "${CC:-gcc}" >/dev/null; then
	printf '%s\n' 'void __attribute__((noinline)) work(void) { __asm__ volatile(""); }' \
		'int main(void) { for (int i = 0; i < 9; i++) work(); }' >work.c
	"${CC:-gcc}" -O1 -o work work.c || fail "no program"
	pk-record -x work -e functions=work -o calls.pk -- ./work 2>err || fail "functions: $(cat err)"
	check calls.pk
	[ "$(records $SAMPLE)" = 18 ] || fail "functions: $(records $SAMPLE) samples"
fi
exit 0
