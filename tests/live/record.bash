# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Sourced by the scripts that record. It has functions for checking streams.
# After it, stderr of every command goes to the file err.
set -u
PATH=$PK_BUILD/tests/live:$PATH

fail()
{
	echo "$*"
	exit 1
}

skip()
{
	echo "$*" >&2
	exit 77
}

# without_recording: the script needs none.
[ -n "${without_recording-}" ] || pk-record -q -e cpu-clock -o probe.pk -- true 2>probe.err ||
	skip "recording is not possible here: $(head -n 1 probe.err)"

# used PID... MILLISECONDS: waits until each process has used that much more CPU time, which can take long on
# a busy machine.
used()
{
	local pid before
	for pid in "${@:1:$#-1}"; do
		before=$(ticks $pid)
		while [ $((($(ticks $pid) - before) * 10)) -lt "${!#}" ]; do sleep 0.02; done
	done
}

# User and system time, in 10 ms.
ticks()
{
	sed 's/.*) //' /proc/$1/stat | awk '{ print $12 + $13 }'
}
export -f used ticks

# recording PID: waits until that pk-record records.
recording()
{
	while ! grep -q 'anon_inode:\[perf_event\]' "/proc/$1/maps" 2>/dev/null; do
		kill -0 "$1" 2>/dev/null || fail "has ended early: $(cat err)"
		sleep 0.02
	done
}

# killed COUNT RECORDER: kills a pk-record that records `sleep` with at least so many BPF programs. None of them may be left.
killed()
{
	local child programs left
	for _ in {1..500}; do
		programs=$(awk '$1 == "prog_id:" { print $2 }' /proc/$2/fdinfo/* 2>/dev/null)
		child=$(pgrep -P $2 -x sleep)
		[ "$(wc -w <<<"$programs")" -lt "$1" ] || [ -z "$child" ] || break
		kill -0 $2 2>/dev/null || fail "has ended early: $(cat err)"
		sleep 0.02
	done
	at_least "$(wc -w <<<"$programs")" $1 'BPF programs'
	kill -KILL $2
	wait $2 2>/dev/null
	kill $child 2>/dev/null
	# The kernel frees them after a grace period.
	for _ in {1..100}; do
		# shellcheck disable=SC2086 # words on purpose
		left=$("$PK_BUILD/tests/live/bpf_programs" $programs) || fail "BPF programs cannot be listed"
		[ -n "$left" ] || return 0
		sleep 0.02
	done
	fail "BPF programs are left: $left"
}

# Whether probes of programs in this folder can be defined in tracefs: a definition cannot have blanks.
may_define_probes()
{
	[ -w /sys/kernel/tracing/uprobe_events ] && [[ $PWD != *[[:blank:]]* ]]
}

# The number of records of a type in the stream that was checked last.
records()
{
	awk -v type="$1" '$1 == type { n = $2 } END { print n + 0 }' counts
}

SAMPLE=9 COMM=3 FORK=7 MMAP2=10

# A stream is well-formed and complete.
check()
{
	stream_check "$1" >counts || fail "$1 is no good stream"
	grep -qx end counts || fail "$1 does not say that it is complete"
}

at_least()
{
	[ "$1" -ge "$2" ] || fail "$3: $1, not at least $2"
}

# stderr is empty, except for the message that an ordinary user records only user space.
silent()
{
	! grep -v 'recording user space only$' "$1" | grep . || fail "was said"
}

# expect STATUS WORDS COMMAND...: the command must end with that status, and print one line with the words. If it
# failed, it must have written nothing.
expect()
{
	local status=$1 words=$2
	shift 2
	"$@" >out 2>err
	[ $? = "$status" ] || fail "$*: not status $status: $(cat err)"
	grep -qE "$words" err || fail "$*: said: $(cat err)"
	[ "$(wc -l <err)" = 1 ] || fail "$*: said more than one line: $(cat err)"
	[ "$status" = 0 ] || [ ! -s out ] || fail "$*: something was written"
}

# True if this user may record everything on all CPUs.
may_record_all()
{
	pk-record -q -a -e cpu-clock -o all.pk -- true 2>all.err
}

# All recorders of a user share the memory that the user may lock for rings: nothing may be left for this one.
locked_out()
{
	! grep -q 'more than this user may lock' "$1" || skip "no locked memory is left for this user: $(head -n 1 "$1")"
}

# True if functions of the kernel can be named. The kernel can hide its addresses (kernel.kptr_restrict).
kernel_has_names()
{
	grep -qv '^0* ' /proc/kallsyms 2>/dev/null
}

# perf prints no messages, except that the kernel hides its addresses.
perf_silent()
{
	if kernel_has_names; then
		silent "$1"
	else
		sed '/^Warning:$/{N;/Kernel address maps/d}; /kptr_restrict/d; /^As no suitable kallsyms/d; /^If some relocation was applied/d; /^can.t be resolved\.$/d
			/^Samples in kernel modules/d; /^$/d' "$1" >"$1.rest"
		silent "$1.rest"
	fi
}

# If perf is installed, it must read the stream without a message. Its output is in the file text.
perf_reads()
{
	command -v perf >/dev/null || return 0
	perf script -i - <"$1" >text 2>perf.err || fail "perf script: $(cat perf.err)"
	perf_silent perf.err
	perf report -i - --stdio <"$1" >report 2>perf.err || fail "perf report: $(cat perf.err)"
	perf_silent perf.err
}
