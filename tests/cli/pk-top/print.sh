# SPDX-License-Identifier: BSD-2-Clause
# The key P prints the lines to a file that others cannot read.
. "$PK_TOP/tests/cli/pk-top/screen.bash"
symbolized | assemble >all.pk
start 'pk-top -g graph,0 -e cpu-clock all.pk'
await 'has ended'
shot 'Print to: pk-top.1.txt' P
shot 'pk-top.1.txt: 8 lines|pk-top.1.txt: [0-9]+ lines' Enter
stat -c '%n %a' pk-top.1.txt
cat pk-top.1.txt
keys E
shot 'Print to: pk-top.2.txt' P
await 'Print to'
press 'pk-top.2.txt: ' Enter
grep -c . pk-top.2.txt
echo "==== refused"
shot 'is the same file as the input|nothing was written' P C-u 'all.pk' Enter
shot 'No such file|cannot' P C-u 'no/such' Enter
ln -s pk-top.3.txt link
shot 'Print to: x$' P C-u 'x'
press 'has ended' Escape
ls x 2>&1
keys q
ended
echo "==== long texts, and a number in the last column"
{
	header
	event 1 7
	name 7 cpu-clock
	comm 5 5 a
	maps 5 0x1000 0x1000 "/usr/lib/a-library-with-a-name-of-more-than-forty-characters.so"
	sample 7 5 0x1000
	finish
} | assemble >long.pk
start 'pk-top --by dso,pid long.pk'
await 'has ended'
press 'long.txt: ' P C-u long.txt Enter
cat long.txt
keys q
ended
