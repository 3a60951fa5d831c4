# SPDX-License-Identifier: BSD-2-Clause
# Lines of source as perf prints them: "(inlined)" ends the line of the place, and where no line is known, the object and
# the address in it stand there.
. "$PK_TOP/tests/cli/stream.bash"

string()
{
	{
		nums 44 "$1" ${#2}
		text "$2"
	} | definition 4
}

# frame ID FUNCTION FLAGS DSO FILE LINE ADDRESS
frame()
{
	nums 4444444488 "$1" "$4" "$2" "$5" "$6" 0 "$3" 0 "$7" $(($7 - 16)) | definition 6
}

{
	header
	nums 4488888888 1 64 0 1000 $((0x10000 | 0x127)) 0 $((1 << 18)) 0 0 7 | record 64 0
	name 7 cpu-clock
	session "1"
	number=0
	for text in prog main f inlined /lib/libm.so.6 src/a.c; do
		string $((++number)) $text
	done
	nums 4444 1 1 5 0 >dso
	head -c 24 /dev/zero >>dso
	definition 5 <dso
	frame 1 1 256 0 0 0 0
	frame 2 2 2 1 6 10 0x100
	frame 3 3 2 1 0 0 0xabc
	frame 4 4 18 1 6 21 0xabc
	frame 5 4 18 1 0 0 0xabc
	frame 6 0 2 0 0 0 0x77
	number=0
	for frame in 1 2 3 4 5 6; do
		nums 4444 $((number + 1)) $number $frame 0 | definition 7
		number=$((number + 1))
	done
	for stack in 4 3 5 6; do
		{
			nums 8844888 7 0x1000 1 1 0 100 2
			nums 8844 0xfffffffffffffe00 0x1000 0x6b747370 $stack
		} | record 9 2
	done
	finish
} >lines.pk
pk-script -F ip,sym,symoff,dso,srcline lines.pk
pk-script -F ip,srcline lines.pk
pk-script --json -F ip,sym,dso,srcline lines.pk | grep SAMPLE
# Of a stream that is not symbolized: the object, whose file is not there.
{
	header
	event 1 7
	maps 5 0x400000 0x1000 /nonexistent/prog
	sample 7 5 0x400123
	sample 7 5 0x500123
} >plain.pk
pk-script -F ip,dso,srcline plain.pk 2>/dev/null
