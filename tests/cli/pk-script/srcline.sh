# SPDX-License-Identifier: BSD-2-Clause
# Lines of source as perf prints them: "(inlined)" ends the line of the place, and where no line is known, the object and
# the address in it stand there.
. "$PK_TOP/tests/cli/stream.bash"

# frame ID FUNCTION FLAGS DSO FILE LINE ADDRESS
frame()
{
	echo "FRAME id=$1 function=$2 flags=$3 dso=$4 file=$5 line=$6 address=$7 symbol_start=$(($7 - 16))"
}

{
	header
	event_of 7 'PERIOD CALLCHAIN'
	name 7 cpu-clock
	session "1"
	number=0
	for text in prog main f inlined /lib/libm.so.6 src/a.c; do
		echo "STRING id=$((++number)) length=${#text} text=\"$text\""
	done
	echo 'DSO id=1 kind=1 path=5'
	frame 1 1 256 0 0 0 0
	frame 2 2 2 1 6 10 0x100
	frame 3 3 2 1 0 0 0xabc
	frame 4 4 18 1 6 21 0xabc
	frame 5 4 18 1 0 0 0xabc
	frame 6 0 2 0 0 0 0x77
	for frame in 1 2 3 4 5 6; do
		echo "STACK id=$frame parent=$((frame - 1)) frame=$frame"
	done
	for stack in 4 3 5 6; do
		sample_of user 7 1 0x1000 "period=100 ips[0]=(user) ips[1]=0x1000 stack=$stack"
	done
	finish
} | assemble >lines.pk
pk-script -F ip,sym,symoff,dso,srcline lines.pk
pk-script -F ip,srcline lines.pk
# Inlined functions do not count.
pk-script -F ip,sym --max-stack 1 lines.pk
pk-script --json -F ip,sym,dso,srcline lines.pk | grep SAMPLE
# Of a stream that is not symbolized: the object, whose file is not there.
{
	header
	event 1 7
	maps 5 0x400000 0x1000 /nonexistent/prog
	sample 7 5 0x400123
	sample 7 5 0x500123
} | assemble >plain.pk
pk-script -F ip,dso,srcline plain.pk 2>/dev/null
