# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Sourced by the tests of pk-span: streams of context switches and wakeups, as text for `assemble`.
. "$PK_TOP/tests/cli/stream.bash"
formats=$PK_TOP/tests/data/tracing.x86_64
ids=(310 312) # of sched_switch and sched_wakeup in the formats

tracing()
{
	echo "TRACING_DATA payload_size=$(wc -c <"$formats") payload=@$formats"
}

# one_event ID CONFIG TYPES
one_event()
{
	echo "HEADER_ATTR attr_type=2 config=$2 sample_period=1 ${1:+id=$1} sample_type=($3) flags=(sample_id_all)"
}

# both_events [TYPES]: sched_switch (id 9) and sched_wakeup (id 8)
both_events()
{
	one_event 9 "${ids[0]}" "IDENTIFIER IP TID TIME CPU PERIOD RAW ${1-}"
	one_event 8 "${ids[1]}" "IDENTIFIER IP TID TIME CPU PERIOD RAW ${1-}"
}

# A comm "tN" of 16 bytes for task N.
comm_of()
{
	echo "1:116 1:$((48 + $1)) 2:0 4:0 8:0"
}

# switch TIME CPU PREV NEXT [STATE [FIELD...]]; TIME in microseconds
switch()
{
	echo "SAMPLE misc=(kernel) id=9 ip=0xffffffff81000000 pid=$3 tid=$3 time=${1}000 cpu=$2 period=1 ${*:6}"
	echo "  raw={2:${ids[0]} 1:0 1:0 4:$3 $(comm_of "$3") 4:$3 4:120 8:${5-1} $(comm_of "$4") 4:$4 4:120 4:0}"
}

# wakeup TIME CPU WAKER PID [FIELD...]
wakeup()
{
	echo "SAMPLE misc=(kernel) id=8 ip=0xffffffff81000100 pid=$3 tid=$3 time=${1}000 cpu=$2 period=1 ${*:5}"
	echo "  raw={2:${ids[1]} 1:0 1:0 4:$3 $(comm_of "$4") 4:$4 4:120 4:$2}"
}

# The samples of a stream, and its LOSS definitions.
show()
{
	pk-script -q --ns -F tid,cpu,time,period,event,trace "$@" | sed -E 's/ +/ /g'
	pk-script --dump "$@" 2>/dev/null | grep -A5 '(LOSS)' | grep -oE '(cause|count|total)=.*' | paste -sd ' ' | sed 's/ cause/, cause/g' | grep .
	return 0
}

offcpu=(--start sched_switch --start-where 'prev_state != 0' --end sched_switch --key prev_pid=next_pid)
