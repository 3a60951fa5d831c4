# SPDX-License-Identifier: BSD-2-Clause
# Blocked time of a command, its threads and its children, without -a: each sleep is a span, as with all tasks.
. "$PK_TOP/tests/live/record.bash"
pk-record -q -e sched:sched_switch -o probe.pk -- true 2>err || skip "no tracepoints: $(head -n 1 err)"
cat >naps.c <<'C'
#include <pthread.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void *naps(void *arg)
{
	const struct timespec time = {0, 2000000};

	for (int i = 0; i < 25; i++)
		nanosleep(&time, NULL);
	return arg;
}

int main(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, naps, NULL))
		return 1;
	if (!fork()) {
		naps(NULL);
		_exit(0);
	}
	naps(NULL);
	wait(NULL);
	return pthread_join(thread, NULL);
}
C
# shellcheck disable=SC2086 # CC can have options
${CC:-gcc} -O1 -pthread -o naps naps.c || fail "no program"
for option in '-e offcpu' '-e offcpu -g' '-e sched:sched_switch' '-e offcpu -D 1'; do
	# shellcheck disable=SC2086 # options
	pk-record -q -m 1M $option -o naps.pk -- ./naps 2>err || fail "$option: $(cat err)"
	pk-script --stats naps.pk | grep -q 'lost records 0, lost samples 0' || skip "records were lost"
	pk-span -q offcpu --min 1ms naps.pk | pk-report -q -e pk:offcpu --no-children --by tid --show samples --csv | sed 1d | cut -d, -f2 |
		sort -n >counts
	[ "$(wc -l <counts)" = 3 ] || fail "$option: $(wc -l <counts) tasks, not 3"
	# Each task sleeps 25 times. On a busy machine, it can be preempted until the time is over, and it can wait for memory. A span that is counted
	# twice would double the number.
	awk -v least="$([[ $option == *-D* ]] && echo 5 || echo 15)" '$1 < least || $1 > 45 { exit 1 }' counts || fail "$option: spans of tasks:" "$(cat counts)"
done
exit 0
