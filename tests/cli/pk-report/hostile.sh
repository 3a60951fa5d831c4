# SPDX-License-Identifier: BSD-2-Clause
# Names of the input do not change the shape of the table, whatever bytes they have.
. "$PK_TOP/tests/cli/pk-report/symbolized.bash"
long=$(printf 'x%.0s' {1..65000})
{
	header
	session "1"
	event 1 7
	name 7 'ev\e[31m'
	strings 'a\nb' 'c\td\e[2J' '\xe2\x80\xaeevil' '\xff\xfe' 'm\xc3\xbcsli' "$long" 'a,"b"'
	for at in 1 2 3 4 5 6 7; do
		frame $at $at 2
		stack $at 0 $at
		echo "SAMPLE misc=(user) id=7 ip=0x1000 pid=5 tid=5 period=$at stack=$at"
	done
	finish
} | assemble >names.pk
pk-report --by=symbol names.pk >table
echo "status $?"
cut -c1-60 table | sed 's/\(\.\.\.\.*\) *$/\1/'
awk '{ print (length($0) > 1100 ? "too long" : "short") }' table | sort | uniq -c | sed 's/^ *//'
LC_ALL=C grep -c $'[\001-\010\013-\037\177]' table
pk-report -q --by=symbol --csv names.pk | cut -c1-60 | LC_ALL=C grep -v $'[\001-\010\013-\037\177]'
pk-report -q --by=symbol --json names.pk | cut -c1-80
pk-report -q --by=symbol -t x names.pk | cut -c1-60
# The same for the names of kernel modules.
{
	header
	session "1"
	event 1 7
	strings '/m\xc3\xbc-x_y.ko' "/$long.ko" f
	for at in 1 2; do
		echo "DSO id=$at kind=2 path=$at"
		frame $at 3 2 $at
		stack $at 0 $at
		echo "SAMPLE misc=(user) id=7 ip=0x1000 pid=5 tid=5 period=$at stack=$at"
	done
	finish
} | assemble >modules.pk
pk-report -q --by=dso modules.pk | awk '{ print substr($0, 1, 40), (length($0) > 1100 ? "too long" : "short") }'
pk-report -q --by=dso -t_ modules.pk | cut -c1-30
# Trees.
{
	header
	session "1"
	event_of 7 'CPU PERIOD CALLCHAIN'
	name 7 'ev\e[31m'
	strings 'a\nb' 'c\td\e[2J' '\xe2\x80\xaeevil' '\xff\xfe' "$long" 'comm\r\e]0;x\x07'
	for at in 1 2 3 4 5; do
		frame $at $at 2
	done
	frame 6 6 256
	stack 1 0 6
	for at in 1 2 3 4 5; do
		stack $((at + 1)) $at $at
		deep 7 1 $((at + 1)) $at $at
	done
	finish
} | assemble >trees.pk
for type in graph fractal flat folded; do
	pk-report -q --by=comm -g $type,0,caller --color=always trees.pk >tree
	awk '{ print (length($0) > 2600 ? "too long" : "short") }' tree | sort | uniq -c | sed 's/^ *//'
	LC_ALL=C sed 's/\x1b\[[0-9]*m//g' tree | LC_ALL=C grep -c $'[\001-\010\013-\037\177]'
	iconv -f UTF-8 -t UTF-8 tree >/dev/null || echo "$type: not UTF-8"
	cut -c1-70 tree
done
# The header.
{
	header
	event 1 7
	name 7 'ev\e[31m\nx'
	feature HOSTNAME 'hostname="ho\e[2Jst\xe2\x80\xae\n# cmdline : x"'
	feature OSRELEASE "osrelease=\"$long\""
	sample 7 5 0x1000
} | assemble >header.pk
pk-report --header-only -I header.pk >header
LC_ALL=C grep -c $'[\001-\010\013-\037\177]' header
cut -c1-80 header | sed 's/captured on.*/captured on/'
# All layouts: names of events, threads, objects, functions, files and parents; of recordings that are compared.
hostile()
{ # PERIOD
	header
	session "1"
	event_of 7 'CPU PERIOD CALLCHAIN'
	event_of 8 'CPU PERIOD CALLCHAIN'
	name 7 'ev\e[31m\n'
	name 8 '\xe2\x80\xaeev\xff'
	feature GROUP_DESC 'group[0].name="\e[2J" group[0].leader=0 group[0].members=2'
	strings 'a\nb' 'c\td\e[2J' '\xe2\x80\xaeevil' '\xff\xfe' "$long" '/\e]0;x\x07/\xe2\x81\xa6x\xff' "/${long:0:32000}/${long:0:32000}" "$long.c"
	echo 'DSO id=1 kind=1 path=6'
	echo 'DSO id=2 kind=1 path=7'
	for at in 1 2 3 4 5; do
		frame $at $at 2 $((at % 2 + 1)) 8 "$at"
	done
	for at in 1 2 3 4 5; do
		frame $((at + 5)) $at 256
		stack $((2 * at - 1)) 0 $((at + 5))
		stack $((2 * at)) $((2 * at - 1)) $at
	done
	for at in 1 2 3 4 5; do
		stack $((at + 10)) $((at + 9)) $at
		comm $at $((10 * at)) "$(printf %s 'x\e[31my\n\xe2\x80\xae\xff')"
		deep 7 $at $((2 * at)) $((at * $1)) $at
		deep 8 $at $((at + 10)) $at $((at + 9))
	done
	finish
}
hostile 1 | assemble >new.pk
hostile 2 | assemble >base.pk
whole()
{
	pk-report -q "$@" new.pk >out 2>err
	echo "status $?, $(wc -l <out) lines: $*"
	cat err
	awk -v max=4000 'length($0) > max { print "a line of", length($0) }' out
	LC_ALL=C grep -n $'[\001-\010\013-\037\177]' out
	LC_ALL=C grep -n -e $'\xe2\x80\xae' -e $'\xe2\x81\xa6' out
	iconv -f UTF-8 -t UTF-8 out >/dev/null
}
mkdir -p "$(printf 'ba\e[2Jse')"
cp base.pk "$(printf 'ba\e[2Jse')/"
for keys in comm,dso,symbol pid,srcline,srcfile symoff,event; do
	whole -s "$keys"
	whole -s "$keys" --no-children -g caller,0
	whole -s "$keys" -g fractal,0 --no-children
	whole -s "$keys" -H
	whole -s "$keys" -H -g graph,0
	whole -s "$keys" --diff=base.pk
	[ "$keys" = symoff,event ] || whole -s "$keys" --group
	[ "$keys" = symoff,event ] || whole -s "$keys" --group -H
done
whole --parent='*' -s parent
whole --full-paths --by=dso --show='first(comm),last(symbol)'
whole --live=1s --by=comm

pk-report --diff="$(printf 'ba\e[2Jse')/base.pk" --diff=base.pk --by=comm new.pk | LC_ALL=C grep -c $'[\001-\010\013-\037\177]'
true
