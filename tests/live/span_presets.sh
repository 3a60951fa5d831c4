# SPDX-License-Identifier: BSD-2-Clause
# long
# The spans of presets have the counts and times that perf trace -s, perf trace, perf sched latency and perf lock contention print
# for the same recording. docs/spans.md explains the differences that are left out here.
. "$PK_TOP/tests/live/record.bash"
. "$PK_TOP/tests/live/perf.bash"
pk-record -q -a -e raw_syscalls:sys_enter -o probe.pk -- true 2>err || skip "no tracepoints: $(head -n 1 err)"

load='for i in 1 2 3 4; do (find /usr/include -name "*.h" -newer /etc/passwd; cat /no/such/file; sleep 0.05) & done; wait'

# record NAME OPTION...: a recording, and a file for perf
record()
{
	pk-record -q "${@:2}" -o "$1.pk" -- sh -c "$load" >/dev/null 2>err || fail "pk-record $*" "$(head -n 3 err)"
	pk-export perf.data -q -o "$1.data" "$1.pk" || fail "pk-export"
}

# rows FILE EVENT FIELDS COLUMNS: lines of numbers, columns first
rows()
{
	pk-report -q --event "pk:$2" --no-children --by "$3" --show "$4" --csv "$1" | sed 1d | cut -d , -f 2- | tr ',' ' '
}

# Calls that perf counts also if they began before the recording, or that return in another task; it does not count rt_sigreturn, whose end
# has no number, and those that end with their task.
uncounted='exit|exit_group|execve|execveat|clone|clone3|fork|vfork|rt_sigreturn'

record calls -m 4M -e 'raw_syscalls:*'
pk-span -q syscalls -o calls.span calls.pk 2>err || fail "pk-span syscalls: $(cat err)"
perf trace -s -i calls.data 2>&1 |
	awk 'match($0, /\([0-9]+\), [0-9]+ events/) { tid = substr($0, RSTART + 1); sub(/\).*/, "", tid) }
		/^   [a-z_0-9]+ +[0-9]+ +[0-9]+ +[0-9.]+ / { print tid "/" $1, $2, $4, $5, $6, $7 }' |
	grep -vE "^[0-9]+/($uncounted) " | sort >by_perf
rows calls.span syscall tid,trace.call 'samples,sum(duration),min(duration),avg(duration),max(duration)' |
	awk '{ printf "%d/%s %d %.3f %.3f %.3f %.3f\n", $6, $7, $1, $2 / 1e6, $3 / 1e6, $4 / 1e6, $5 / 1e6 }' |
	grep -vE "^[0-9]+/($uncounted) " | sort >by_pk
# perf calculates the total from the average: the last digit can differ.
join -a 1 -a 2 by_perf by_pk | awk '
	function near(a, b) { return a - b < 0.0015 && b - a < 0.0015 }
	NF != 11 || $2 != $7 || !near($3, $8) || !near($4, $9) || !near($5, $10) || !near($6, $11)' >differ
[ ! -s differ ] || fail "perf trace -s: call, number, total, smallest, average, largest of perf, and of pk:" "$(head -n 5 differ)"
[ "$(wc -l <by_pk)" -ge 50 ] || fail "only $(wc -l <by_pk) rows"

# The lines: name, arguments, duration. perf prints 32 bits of the addresses of names, and fewer words. perf 7 does not print what is written.
unprinted=
[ "$perf_version" -lt 7 ] || unprinted='/ write\(/s/buf: (0x[0-9a-f]+)?,/buf: X,/'
perf trace -i calls.data 2>&1 | grep -E ' (openat|read|close|mmap|mprotect|pread64|write|brk|lseek|fcntl|rt_sigaction|getdents64)\(.*= ' |
	sed -nE 's/^ *[0-9.]+ \( *([0-9.]+) ms\): .*\/([0-9]+) ([a-z0-9_]+\(.*\)) += .*/\2 \1 \3/p' |
	sed -E "$unprinted" | grep -vE 'continued|cmd: SETFD' | sort >by_perf
pk-script -q -F tid,trace calls.span | sed -nE 's/^ *([0-9]+) .*duration=([0-9]+) .*call=(\w+) args=(.*) ret=.*/\1 \2 \3(\4)/p' |
	awk '{ $2 = sprintf("%.3f", $2 / 1e6); print }' |
	grep -E '^[0-9]+ [0-9.]+ (openat|read|close|mmap|mprotect|pread64|write|brk|lseek|fcntl|rt_sigaction|getdents64)\(' |
	sed -E 's/(filename): 0x[0-9a-f]*([0-9a-f]{8})\b/\1: 0x\2/; s/(filename: 0x)0+/\1/' |
	sed -E "$unprinted" | grep -v 'cmd: SETFD' | sort >by_pk
# perf prints calls that are interrupted by those of other tasks in two lines.
comm -23 by_perf by_pk >only_perf
[ ! -s only_perf ] || fail "lines of perf trace that differ:" "$(head -n 5 only_perf)" "$(grep -c . only_perf) of $(grep -c . by_perf)"
[ "$(wc -l <by_perf)" -ge 500 ] || fail "only $(wc -l <by_perf) lines of perf trace"

# perf 6.1 does not know the state R+: tasks that were preempted are left out. It misses the first wakeup of a task,
# or adds a delay of 0 for it: tasks that run once are left out.
record switches -a -m 4M -e 'sched:sched_switch,sched:sched_wakeup,sched:sched_wakeup_new'
pk-span -q sched -o switches.span switches.pk 2>err || fail "pk-span sched: $(cat err)"
perf sched latency -p -i switches.data 2>/dev/null |
	sed -nE 's/^ .*:\(?([0-9]+)\)? +\| +[0-9.]+ ms \| +([0-9]+) \| avg: +([0-9.]+) ms \| max: +([0-9.]+) ms .*/\1 \2 \3 \4/p' | sort >by_perf
rows switches.span delay tid 'samples,avg(duration),max(duration)' |
	awk '{ printf "%d %d %.3f %.3f\n", $4, $1, $2 / 1e6, $3 / 1e6 }' | sort >all_by_pk
pk-filter -q --where 'event == "pk:delay" && trace.prev_state == 256' switches.span |
	pk-report -q --event pk:delay --no-children --by tid --show samples --csv | sed 1d | cut -d , -f 3 | sort >preempted
[ "$perf_version" -lt 7 ] || : >preempted
join -v 1 all_by_pk preempted >by_pk
join by_perf by_pk | awk '$2 > 1' >both
awk '{ more = $5 - $2; sum = $5 * $6 - $2 * $3; tolerance = 0.001 * ($2 + $5) }
	more > 1 || more < -1 || sum < -tolerance || (more < 0 && (sum > tolerance || $4 != $7))' both >differ
[ ! -s differ ] || fail "perf sched latency: task, switches, average and largest delay of perf, and of pk:" "$(head -n 5 differ)"
[ "$(awk '$2 == $5 && $3 == $6 && $4 == $7' both | wc -l)" -ge 5 ] || fail "perf sched latency: few tasks with the same number" "$(head -n 20 both)"

# perf prints three digits in the unit that suits. It also counts a contention of no time if a begin has no end.
if pk-record -q -a -e lock:contention_begin -o probe.pk -- true 2>/dev/null; then
	record locks -a -g -m 4M -e 'lock:contention_begin,lock:contention_end'
	pk-span -q locks -o locks.span locks.pk 2>err || fail "pk-span locks: $(cat err)"
	perf lock contention -t -i locks.data 2>&1 | awk '
		function us(number, unit) { return unit == "s" ? number * 1e6 : unit == "ms" ? number * 1e3 : number }
		/^ +[0-9]+ / && $3 ~ /s$/ { print $8, $1, us($2, $3), us($4, $5) }' | sort >by_perf
	rows locks.span wait tid 'samples,sum(duration),max(duration)' | awk '{ print $4, $1, $2 / 1000, $3 / 1000 }' | sort >by_pk
	join -a 1 -a 2 by_perf by_pk | awk '
		function near(a, b) { return a - b <= 0.006 * (a < 1000 ? 1 : a) && b - a <= 0.006 * (a < 1000 ? 1 : a) }
		$3 > 0 && (NF != 7 || $2 < $5 || !near($3, $6) || !near($4, $7))' >differ
	[ ! -s differ ] || fail "perf lock contention: task, number, us, largest of perf, and of pk:" "$(head -n 5 differ)"
fi
exit 0
