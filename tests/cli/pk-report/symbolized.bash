# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Sourced by the tests of pk-report: a symbolized stream of two events and two processes.
. "$PK_TOP/tests/cli/stream.bash"

try()
{
	echo "$ pk-report $*"
	pk-report "$@" 2>&1
	echo "status $?"
}

frame()
{ # ID FUNCTION FLAGS [DSO FILE LINE]
	echo "FRAME id=$1 dso=${4-0} function=$2 file=${5-0} line=${6-0} flags=$3"
}

stack()
{ # ID PARENT FRAME
	echo "STACK id=$1 parent=$2 frame=$3"
}

# deep ID PID STACK PERIOD TIME: a symbolized sample with a callchain
deep()
{
	echo "SAMPLE misc=(user) id=$1 ip=0x1000 pid=$2 tid=$((10 * $2)) time=$5 cpu=$(($2 % 2)) period=$4 nr=1 ips[0]=0x1000 stack=$3"
}

# strings TEXT...: numbered from 1 on
strings()
{
	local number=0 text
	for text; do
		echo "STRING id=$((++number)) length=$(printf %b "$text" | wc -c) text=\"${text//\"/\\\"}\""
	done
}

symbolized()
{
	header
	event_of 7 'CPU PERIOD CALLCHAIN'
	event_of 8 'CPU PERIOD CALLCHAIN'
	session "1"
	name 7 cpu-clock
	name 8 cycles
	strings prog main f g inlined vector_add /lib/libm.so.6 src/a.c '[kernel.kallsyms]' do_work /lib/modules/6.1/kernel/fs/my-fs.ko.xz
	echo 'DSO id=1 kind=1 path=7'
	echo 'DSO id=2 kind=2 path=9'
	echo 'DSO id=3 kind=2 path=11'
	frame 1 1 256
	frame 2 2 2 1 8 10
	frame 3 3 2 1 8 20
	frame 4 4 2 1
	frame 5 5 18 1 8 21
	frame 6 6 1
	frame 7 10 3 2
	frame 8 0 34 3
	stack 1 0 1
	stack 2 1 2 # prog;main
	stack 3 2 3 # prog;main;f
	stack 4 3 3 # prog;main;f;f
	stack 5 4 5 # prog;main;f;f;inlined
	stack 6 3 4 # prog;main;f;g
	stack 7 6 7 # prog;main;f;g;do_work
	stack 8 7 8 # prog;main;f;g;do_work;[my_fs]
	for at in 2 3 4 5 6 7 8 3 4; do
		deep 7 $((at % 2 + 1)) $at $((100 * at)) $((at * 1000000))
	done
	deep 8 1 2 7 5000000
	finish
}
