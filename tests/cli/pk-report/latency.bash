# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Sourced by tests of wall-clock profiling: a process with threads.
. "$PK_TOP/tests/cli/pk-report/symbolized.bash"

threads()
{
	header
	echo 'HEADER_ATTR attr_type=1 sample_period=1 id=7'
	echo '  sample_type=(IDENTIFIER IP TID TIME PERIOD) flags=(sample_id_all context_switch)'
	comm 5 5 main
	comm 5 6 two
	comm 5 7 three
}

# run TID TIME PERIOD: a sample
run()
{
	echo "SAMPLE misc=(user) id=7 ip=0x1000 pid=5 tid=$1 time=$2 period=$3"
}

switch()
{ # in|out TID TIME
	echo "SWITCH misc=$([ "$1" = out ] && echo 0x2000 || echo 0)"
	echo "  trailer.pid=5 trailer.tid=$2 trailer.time=$3"
}

# latency PERIOD: one thread, then two, then three, with samples of this period
latency()
{
	local at=100 tid
	threads
	for ((; at < 110; at++)); do run 5 $at "$1"; done
	switch in 6 $((at++))
	for ((; at < 130; at++)); do
		run 5 $at "$1"
		run 6 $at "$1"
	done
	switch in 7 $((at++))
	for ((; at < 160; at++)); do
		for tid in 5 6 7; do run $tid $at "$1"; done
	done
	switch out 6 $((at++))
	switch out 7 $((at++))
	for ((; at < 170; at++)); do run 5 $at "$1"; done
}
