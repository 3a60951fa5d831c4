# SPDX-License-Identifier: BSD-2-Clause
# The columns are as wide as the numbers that are visible: the last rows have the longest ones.
. "$PK_TOP/tests/cli/pk-top/screen.bash"
{
	header
	event 1 7
	name 7 cpu-clock
	for ((i = 0; i < 520; i++)); do
		sample 7 $((i + 10)) 0x1000 $((10000 - i)) $((i + 1))
	done
	sample 7 1234567890 0x1000 1 9999123456789
	finish
} | assemble >many.pk
size=40x10
start 'pk-top --by pid,time --show share many.pk'
shot 'has ended'
shot '1234567890' End
shot 'Print to: pk-top.1.txt' P
press '521 lines' Enter
head -n 2 pk-top.1.txt
tail -n 1 pk-top.1.txt
keys q
ended
echo "==== a narrow terminal"
size=26x8
start 'pk-top --by pid,time --show share many.pk'
await 'has ended'
shot '1234567890' End
keys q
ended
