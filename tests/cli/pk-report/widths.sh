# SPDX-License-Identifier: BSD-2-Clause
# Columns are aligned by what characters need on a terminal, and lines are cut between characters.
. "$PK_TOP/tests/cli/pk-report/symbolized.bash"
{
	header
	event_of 7 'CPU PERIOD CALLCHAIN'
	session "1"
	name 7 cpu-clock
	strings '\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e' 'e\xcc\x81e\xcc\x81e\xcc\x81' 'm\xc3\xbcsli' plain '\xf0\x9f\x98\x80x' \
		'\xff\xfe' a_function_with_a_long_name /lib/x.so
	echo 'DSO id=1 kind=1 path=8'
	for at in 1 2 3 4 5 6 7; do
		frame $at $at 2 1
		stack $at $((at - 1)) $at
		deep 7 1 $at $((at * 100)) $((at * 1000000))
	done
	finish
} | assemble >names.pk
try -q --no-children --by symbol,dso --show share names.pk
try -q --no-children --by symbol,pid --width 20 names.pk
try --by symbol --width 14 names.pk
try -q --by symbol -g caller,0 --width 30 names.pk
try -q --no-children -w 10,6,3 --by symbol,dso names.pk
try -q --no-children -w 0,3 --by symbol,dso names.pk
for width in 1 2 8 12 13 14 15 16 17 18 19; do
	pk-report --by symbol -g caller,0 --width $width names.pk >lines
	iconv -f UTF-8 -t UTF-8 lines >/dev/null || echo "$width: a character is cut"
done
# Colours need no columns.
pk-report -q --no-children --by symbol --width 14 --color=always names.pk | cat -v
pk-report -q --by symbol --width 5 --color names.pk | cat -v
pk-report -q --by symbol --color=always -g caller,0 names.pk | grep -v '100.00%' | cat -v
for bad in --width=x --color=blue -w=1 -wx -w1,,2 "-w1," --column-widths=99999999; do
	try $bad names.pk
done
