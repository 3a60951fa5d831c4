# SPDX-License-Identifier: BSD-2-Clause
# A program that makes known numbers of system calls, and measures itself: pk-span has the numbers of strace -c, and the times of the program.
. "$PK_TOP/tests/live/record.bash"
pk-record -q -e raw_syscalls:sys_enter -o probe.pk -- true 2>err || skip "no tracepoints: $(head -n 1 err)"

cat >measured.c <<'C'
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long long now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *hold(void *arg)
{
	pthread_mutex_lock(&mutex);
	write(*(int *)arg, "x", 1);
	usleep(30000);
	pthread_mutex_unlock(&mutex);
	return arg;
}

int main(void)
{
	long long start, slept = 0, polled = 0, read_for = 0, locked;
	struct timespec pause = {0, 10000000};
	int ends[2];
	pthread_t thread;
	char byte;

	for (int i = 0; i < 1000; i++)
		syscall(SYS_getpid);
	for (int i = 0; i < 70; i++)
		close(open("/nonexistent", O_RDONLY));
	for (int i = 0; i < 20; i++) {
		start = now();
		nanosleep(&pause, NULL);
		slept += now() - start;
		start = now();
		poll(NULL, 0, 5);
		polled += now() - start;
	}
	pipe(ends);
	pthread_create(&thread, NULL, hold, &ends[1]);
	start = now();
	read(ends[0], &byte, 1);
	read_for += now() - start;
	start = now();
	pthread_mutex_lock(&mutex);
	locked = now() - start;
	pthread_join(thread, NULL);
	fprintf(stderr, "clock_nanosleep %lld\npoll %lld\nfutex %lld\n", slept, polled, locked);
	return read_for < 0;
}
C
"${CC:-gcc}" -O1 -pthread -w -o measured measured.c || fail "no program"

# record: calls.pk, spans.pk, and what the program has measured
record()
{
	pk-record -q -e syscalls -o calls.pk -- ./measured 2>own >&2 || fail "$(cat own)"
	pk-span -q syscalls calls.pk >spans.pk 2>err || fail "$(cat err)"
}

# within NAME: the sum of the spans of a call is that of the program, less at most 1 %
within()
{
	local sum own
	own=$(sed -n "s/^$1 //p" own)
	sum=$(pk-report -q -e pk:syscall --where "call == \"$1\" && trace.duration > 1000000" --by tid,call --show sum --csv spans.pk |
		awk -F, 'NR > 1 && $2 > most { most = $2 } END { print most + 0 }')
	[ "$sum" -le "$own" ] && [ $((sum * 100)) -ge $((own * 99)) ] || {
		differ="$1: $sum ns, not $own"
		return 1
	}
}

# Another task can run between the clock and the call: three tries.
for _ in 1 2 3; do
	record
	differ=
	within clock_nanosleep && within poll && within futex && break
done
[ -z "$differ" ] || fail "$differ"

# Allocations of known sizes: the peak, what is not freed, and what is freed before the next allocation.
cat >allocates.c <<'C'
#include <stdlib.h>

int main(void)
{
	void *blocks[100], *volatile block;

	for (int i = 0; i < 100; i++)
		blocks[i] = malloc(1001);
	for (int i = 0; i < 50; i++) {
		block = malloc(333);
		free(block);
	}
	for (int i = 0; i < 10; i++)
		blocks[i] = realloc(blocks[i], 5003);
	block = malloc(7777);
	for (int i = 0; i < 60; i++)
		free(blocks[i]);
	free(block);
	return 0;
}
C
"${CC:-gcc}" -O0 -w -o allocates allocates.c || fail "no program"
if pk-record -q -e malloc -o allocations.pk -- ./allocates 2>err && [ "$(pk-script -q --stats allocations.pk | grep -c malloc)" -ge 2 ]; then
	pk-span -q malloc --pass allocations.pk | pk-span -q memory >memory.pk
	pk-report -q --view memory --by comm --csv memory.pk | awk -F, 'NR == 2 { print $2, $3, $4, $5 }' >found
	pk-report -q -e pk:memory --where 'trace.others == 0 && trace.unfinished == 0' --by comm --show 'samples,sum(size)' --csv memory.pk |
		awk -F, 'NR == 2 { print $2, $3 }' >>found
	printf '161 %d %d 40\n51 %d\n' $((100 * 1001 + 50 * 333 + 10 * 5003 + 7777)) $((90 * 1001 + 10 * 5003 + 7777)) $((50 * 333 + 7777)) >expected
	diff expected found >difference || fail "allocations: $(cat difference)"
else
	echo "not tried: allocations: $(head -n 1 err)" >&2
fi

# The numbers of calls, with those of the dynamic linker. The start of execve and the end of exit_group are not recorded. How often a thread
# waits depends on the other one.
command -v strace >/dev/null || skip "no strace: numbers of calls are not compared"
strace -f -c -o counts ./measured 2>err || skip "strace does not run here: $(head -n 1 err)"
awk '$1 ~ /^[0-9.]+$/ && $NF !~ /^(total|execve|exit_group|exit|futex)$/ { print $NF, $4, NF == 6 ? $5 : 0 }' counts | sort >by_strace
pk-report -q --view syscalls-total --by call --csv spans.pk | awk -F, 'NR > 1 { print $NF, $2, $3 }' |
	grep -vE '^(execve|exit_group|exit|futex) ' | sort >by_pk
at_least "$(wc -l <by_strace)" 10 "rows of strace -c"
diff by_strace by_pk >difference || fail "other numbers of calls, or errors, than strace -c: $(cat difference)"
exit 0
