# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Sourced by the scripts that record. Afterwards stderr of every command goes to the file err as well
# as the script's own means to look at streams.
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

pk-record -q -e cpu-clock -o probe.pk -- true 2>probe.err ||
	skip "recording is not possible here: $(head -n 1 probe.err)"

# How many records of a type the stream checked last has.
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

# Nothing was said on stderr.
silent()
{
	[ ! -s "$1" ] || fail "said: $(cat "$1")"
}

# perf, where it is installed, reads it without a word of complaint, and what it prints is in text.
perf_reads()
{
	command -v perf >/dev/null || return 0
	perf script -i - <"$1" >text 2>perf.err || fail "perf script: $(cat perf.err)"
	silent perf.err
	perf report -i - --stdio <"$1" >report 2>perf.err || fail "perf report: $(cat perf.err)"
	silent perf.err
}
