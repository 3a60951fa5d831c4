# SPDX-License-Identifier: BSD-2-Clause
# Probes of tasks that start threads and child processes: the tasks start, and each of them is recorded and counted.
# Where a probe cannot be defined in tracefs, only the first task is, and the others start nevertheless.
. "$PK_TOP/tests/live/record.bash"

may_define_probes || skip "no tracefs, or a folder with blanks"
[ -e /sys/bus/event_source/devices/uprobe ] || skip "this kernel has no uprobes"
[ "$(id -u)" = 0 ] || skip "needs root"
[ "$(uname -m)" = x86_64 ] || skip "the program is for x86_64"
command -v "${CC:-gcc}" >/dev/null || skip "no compiler"
cat >forks.c <<'C'
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#define MARK(n) \
	__asm__ volatile("990: nop\n" \
		".pushsection .note.stapsdt,\"\",\"note\"\n.balign 4\n.4byte 992f-991f, 994f-993f, 3\n" \
		"991: .asciz \"stapsdt\"\n992: .balign 4\n993: .8byte 990b\n.8byte 0\n.8byte listeners\n" \
		".asciz \"some\"\n.asciz \"thing\"\n.asciz \"-4@%0\"\n994: .balign 4\n.popsection\n" : : "r"(n))
__attribute__((section(".probes"))) volatile unsigned short listeners = 0;
static int failed;

__attribute__((noinline)) void call(int n) { __asm__ volatile("" : "+r"(n)); }

static void hit(int n)
{
	call(n);
	if (listeners)
		MARK(n);
}

static void *second(void *arg)
{
	hit(3);
	return arg;
}

/* A child process, which forks itself until number 5. */
static void fork_once(int n)
{
	int status = 1;
	const pid_t pid = fork();

	if (!pid) {
		hit(n);
		if (n < 5)
			fork_once(n + 1);
		_exit(failed);
	}
	failed |= pid < 0 || wait(&status) != pid || status;
}

/* Waits for stdin, so that a recording can start before. */
static void *first(void *arg)
{
	pthread_t thread;
	char c;

	if (read(0, &c, 1) < 0)
		failed = 1;
	hit(2);
	if (pthread_create(&thread, NULL, second, NULL) || pthread_join(thread, NULL))
		failed = 1;
	fork_once(4);
	return arg;
}

int main(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, first, NULL) || pthread_join(thread, NULL))
		return 2;
	hit(1);
	return failed;
}
C
"${CC:-gcc}" -O1 -fno-pie -no-pie -pthread -o forks forks.c 2>cc.err || fail "no program: $(cat cc.err)"
mkdir "not definable"
cp forks "not definable/forks"
mkfifo go

# numbers WHERE: the n of all samples of the function and of the marker; each task has another one.
numbers()
{
	local event
	stream_check out.pk >counts || fail "$1: no good stream"
	for event in call thing; do
		pk-script -q -F event,trace out.pk | grep -F ":$event:" | grep -oE '(n|arg1)=[0-9]+' | cut -d= -f2 |
			sort | tr -d '\n'
		echo " $event"
	done
}
wanted() # wanted NUMBERS WHERE
{
	printf '%s\n' "$1 call" "$1 thing" >wanted
	numbers "$2" >got
	diff wanted got || fail "$2: samples of other tasks"
}
# attach PROGRAM COMMAND...: runs the command for the process of the program, which then goes on and must start all its
# tasks.
attach()
{
	local program=$1 target attached
	shift
	"$program" <go &
	target=$!
	exec 3>go
	# Its second thread waits for input.
	while [ "$(echo /proc/$target/task/* | wc -w)" -lt 2 ]; do sleep 0.01; done
	"$@" -p $target 2>err 3>&- &
	attached=$!
	# Two events of two threads. A recorder has also mapped its buffers.
	while [ "$(readlink /proc/$attached/fd/* 2>/dev/null | grep -c perf_event)" -lt 4 ]; do
		grep -q '^State:[[:space:]]*[^Z]' /proc/$attached/status 2>/dev/null || fail "$*: has ended early: $(cat err)"
		sleep 0.01
	done
	[ "$1" != pk-record ] || recording $attached
	exec 3>&-
	wait $target || fail "$*: the program could not start its threads and child processes"
	wait $attached || fail "$*: $(cat err)"
}
alone='2 probes do not include new threads and child processes'
here=(-x ./forks --probe 'call n=%di:s32' --probe some:thing)
there=(-x "not definable/forks" --probe 'call n=%di:s32' --probe some:thing)

pk-record -o out.pk "${here[@]}" -- ./forks </dev/null 2>err || fail "a command could not start its tasks: $(cat err)"
silent err
wanted 12345 "a command"
attach ./forks pk-record -o out.pk "${here[@]}"
silent err
wanted 12345 "a running process"
pk-stat -x, --object ./forks --probe call --probe some:thing -- ./forks </dev/null 2>err || fail "counted: $(cat err)"
[ "$(cut -d, -f1 err | tr '\n' ' ')" = '5 5 ' ] || fail "counts: $(cat err)"
attach ./forks pk-stat -x, --object ./forks --probe call --probe some:thing
! grep -F "$PWD/" /sys/kernel/tracing/uprobe_events || fail "left in tracefs"

# A definition cannot have a path with a blank.
pk-record -o out.pk "${there[@]}" -- "not definable/forks" </dev/null 2>err || fail "a command, not defined: $(cat err)"
grep -q "$alone" err || fail "not reported: $(cat err)"
wanted 1 "a command, not defined"
attach "not definable/forks" pk-record -o out.pk "${there[@]}"
grep -q "$alone" err || fail "not reported: $(cat err)"
wanted 12 "a running process, not defined"
attach "not definable/forks" pk-stat -x, --object "not definable/forks" --probe call --probe some:thing
grep -q "$alone" err || fail "not reported: $(cat err)"

# What new tasks do not inherit needs no definition.
pk-stat -x, -i --object "not definable/forks" --probe call --probe some:thing -- "not definable/forks" </dev/null 2>err ||
	fail "-i: $(cat err)"
[ "$(cut -d, -f1 err | tr '\n' ' ')" = '1 1 ' ] || fail "-i: $(cat err)"
pk-stat -x, -a --object "not definable/forks" --probe call --probe some:thing -- "not definable/forks" </dev/null 2>err ||
	fail "-a: $(cat err)"
[ "$(cut -d, -f1 err | tr '\n' ' ')" = '5 5 ' ] || fail "-a: $(cat err)"
exit 0
