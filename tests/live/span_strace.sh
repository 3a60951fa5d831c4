# SPDX-License-Identifier: BSD-2-Clause
# The same run of a program, seen by strace -T and by pk-span: the same calls in the same order, with the same results. strace measures from
# the stop before the call to the stop after it, so its times are the longer ones.
. "$PK_TOP/tests/live/record.bash"
command -v strace >/dev/null || skip "no strace"
pk-record -q -e raw_syscalls:sys_enter -o probe.pk -- true 2>err || skip "no tracepoints: $(head -n 1 err)"
strace -o probe true 2>err || skip "strace does not run here: $(head -n 1 err)"

cat >traced.c <<'C'
#include <fcntl.h>
#include <poll.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
	struct timespec pause = {0, 3000000};
	char bytes[4096];
	int file, ends[2];

	for (int i = 0; i < 10; i++)
		nanosleep(&pause, NULL);
	for (int i = 0; i < 100; i++)
		close(open("/nonexistent", O_RDONLY));
	file = open("/proc/self/status", O_RDONLY);
	while (read(file, bytes, 100) > 0)
		;
	close(file);
	if (pipe(ends))
		return 1;
	for (int i = 0; i < 50; i++)
		if (write(ends[1], bytes, 1 + i * 10) != read(ends[0], bytes, sizeof(bytes)))
			return 1;
	for (int i = 0; i < 10; i++)
		poll(NULL, 0, 2);
	return 0;
}
C
"${CC:-gcc}" -O1 -w -o traced traced.c || fail "no program"
pk-record -q -m 4M -e syscalls -o calls.pk -- strace -T -o trace ./traced 2>err || fail "$(cat err)"
pk-span -q syscalls -o spans.pk calls.pk 2>err || fail "$(cat err)"

# Calls, results and microseconds. strace prints addresses in hexadecimal, and "?" for calls that do not return.
sed -nE 's/^(\w+)\(.*\) += (-?[0-9]+|0x[0-9a-f]+)( E[A-Z0-9]+ .*| \(.*)? <([0-9]+)\.([0-9]{6})>$/\1 \2 \4\5/p' trace >by_strace
at_least "$(wc -l <by_strace)" 300 "calls of strace -T"
# The program's calls are the last ones of its thread, which was a copy of strace before execve.
pk-filter -q --where 'event == "pk:syscall" && comm == "traced"' spans.pk | pk-script -q --format '{tid}' >tids || fail "no calls"
[ "$(pk-filter -q --where "event == \"pk:syscall\" && tid == $(head -n 1 tids)" spans.pk | pk-script -q --format '{trace.call} {trace.ret:result}' | tail -n 1)" = 'exit_group ?' ] ||
	fail "the last call is not exit_group"
pk-filter -q --where "event == \"pk:syscall\" && tid == $(head -n 1 tids)" spans.pk |
	pk-script -q --format '{trace.call} {trace.ret:result} {trace.duration}' |
	grep -v ' ? ' | sed -E 's/ (-?[0-9]+|0x[0-9a-f]+) .* ([0-9]+)$/ \1 \2/' | tail -n "$(wc -l <by_strace)" >by_pk
[ "$(wc -l <by_pk)" = "$(wc -l <by_strace)" ] || fail "$(wc -l <by_pk) calls, not $(wc -l <by_strace)"
# The clocks of both can differ by a thousandth, and strace rounds down.
paste -d ' ' by_strace by_pk | awk '$1 != $4 || $2 != $5 || $3 * 1.001 + 2 < $6 / 1000' >differ
[ ! -s differ ] || fail "call, result, us of strace -T, call, result, ns of pk-span:" "$(head -n 5 differ)"
# The sleeps: 20 calls of 2 and 3 ms.
[ "$(awk '$1 ~ /nanosleep|poll/ && $3 >= 2e6' by_pk | wc -l)" = 20 ] || fail "not 20 calls that sleep: $(grep -E 'sleep|poll' by_pk)"
