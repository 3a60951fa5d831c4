# SPDX-License-Identifier: BSD-2-Clause
# Counts of programs that do the same every time, by pk-stat and by perf stat.
set -u
PATH=$PK_BUILD/tests/live:$PATH
status=0
fail()
{
	echo "$*"
	status=1
}
perf stat -x, -e page-faults -o perf.out -- true 2>/dev/null && grep -q '^[0-9].*page-faults' perf.out || {
	echo "no perf that can count here" >&2
	exit 77
}
pk-stat -o /dev/null -e task-clock -- true || exit 1

# -v: the counts of the kernel and their times, and why an event is not counted
pk-stat -v -x, -o pk.csv -e page-faults,mem:0:w,L1-icache-prefetches -- true 2>err || fail "-v: $(cat err)"
counted=$(awk -F, '$3 ~ /^page-faults/ { print $1 " " $4 " " $4 }' pk.csv)
grep -q "^pk-stat: page-faults[:u]*: $counted\$" err || fail "-v: $counted: $(cat err)"
for event in $(awk -F, '/^<not supported>/ { print $3 }' pk.csv); do
	grep -q "^pk-stat: $event: [A-Za-z]" err || fail "-v: $event: $(cat err)"
done

# count FILE EVENT
count()
{
	awk -F, -v name="$2" '$3 == name || $3 == name ":u" { print $1 }' "$1"
}

# close EVENT LESS MORE COMMAND...: pk's count differs from perf's by no more
close()
{
	local event=$1 less=$2 more=$3 ours theirs
	shift 3
	pk-stat -x, -o pk.csv -e "$event" -- "$@" >out 2>err || fail "$event, $*: status $?: $(cat err)"
	perf stat -x, -o perf.csv -e "$event" -- "$@" >out 2>&1
	ours=$(count pk.csv "$event")
	theirs=$(count perf.csv "$event")
	case $theirs in '<not '*)
		[ "$ours" = "$theirs" ] || fail "$event, $*: $ours, perf says $theirs"
		return
		;;
	esac
	awk -v a="$ours" -v b="$theirs" -v less="$less" -v more="$more" \
		'BEGIN { exit !(a ~ /^[0-9.]+$/ && b ~ /^[0-9.]+$/ && a >= b - less && a <= b + more) }' ||
		fail "$event, $*: $ours, perf says $theirs"
}

# Faults: what the start of a program faults in depends on the state of the page cache.
for pages in 100 1000 5000; do
	close page-faults 8 8 toucher $pages
	close minor-faults 8 8 toucher $pages
done
close major-faults 2 2 toucher 10
# Ten pauses are ten switches; more come from others who want the processor.
pk-stat -x, -o pk.csv -e context-switches -- toucher 100 50
switches=$(count pk.csv context-switches)
# those are in the kernel, where not everybody may count
case $(cut -d, -f3 pk.csv) in
*:u) ;;
*) [ "$switches" -ge 10 ] || fail "ten pauses are $switches switches" ;;
esac
# What nobody triggers
close dummy 0 0 true
close bpf-output 0 0 true
close alignment-faults 0 0 true

# Tracepoints: as many as the program makes system calls.
if pk-stat -x, -o pk.csv -e syscalls:sys_enter_exit_group -- true 2>/dev/null; then
	close syscalls:sys_enter_exit_group 0 0 true
	close syscalls:sys_enter_execve 0 0 true
	close syscalls:sys_enter_nanosleep 0 0 toucher 100 20
	close syscalls:sys_enter_clock_nanosleep 0 0 toucher 100 20
	close syscalls:sys_enter_getpid 0 0 perl -e 'syscall(39) for 1 .. 1000'
	close syscalls:sys_enter_mmap 0 0 toucher 10
	pk-stat -x, -o pk.csv -e syscalls:sys_enter_write -- dd if=/dev/zero of=/dev/null bs=1 count=777 status=none
	[ "$(count pk.csv syscalls:sys_enter_write)" = 777 ] || fail "777 writes are $(cat pk.csv)"
	pk-stat -x, -o pk.csv -e syscalls:sys_enter_write --filter 'count == 2' -- \
		sh -c 'echo a; echo bc; echo d >/dev/null' >out
	[ "$(count pk.csv syscalls:sys_enter_write)" = 2 ] || fail "two writes of two bytes are $(cat pk.csv)"
fi

# The processor's own: user space does the same every time.
if perf stat -x, -e instructions:u -- true 2>&1 | grep -q '^[0-9]'; then
	theirs=$(perf stat -x, -e instructions:u -- perl -e '$i++ for 1 .. 300000' 2>&1 | cut -d, -f1)
	close instructions:u $((theirs / 50)) $((theirs / 50)) perl -e '$i++ for 1 .. 300000'
fi

# Clocks: what the program reads from its own clock, which starts before execve() and is read before the end.
pk-stat -x, -o pk.csv -e task-clock -- perl -MPOSIX=clock -e '1 while ($now = clock) < 100_000; print $now / 1000' >own
awk -F, -v own="$(cat own)" '{ exit !($1 >= own - 20 && $1 < own + 100 && $2 == "msec") }' pk.csv ||
	fail "$(cat own) ms of CPU are $(cat pk.csv)"
exit $status
