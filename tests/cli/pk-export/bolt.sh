# SPDX-License-Identifier: BSD-2-Clause
# Profiles for perf2bolt and llvm-profgen: branches, the code between them, sums over sessions, samples without branches, kinds of branches, interrupts,
# other objects, and files that are not the recorded ones.
. "$PK_TOP/tests/cli/pk-annotate/list.bash"
exec 2>&1

# branches KIND [FILE]: an event with branch stacks of these bits of branch_sample_type, and a program, which is at 0x400000
branches()
{
	header
	event_of 7 'PERIOD BRANCH_STACK' attr_size=80 "branch_sample_type=$1"
	name 7 cycles
	comm 5 5 list
	maps_as 5 5 0x400000 0x1000 "${2-/src/list}"
	maps_as 5 5 0x700000 0x1000 /lib/other
}

# taken FLAGS FROM TO ...: a sample with these branches, the newest first
taken()
{
	local i=0 flags=$1
	sample_of user 7 5 0x400100 time=1 period=100
	shift
	while [ $# -gt 0 ]; do
		echo "  branch[$i]=$(printf '0x%x -> 0x%x' "$1" "$2") $flags"
		i=$((i + 1))
		shift 2
	done
}

bolt()
{
	echo "$ pk-export bolt $*"
	pk-export bolt --symfs=root "$@"
	echo "status $?"
}

# add is 0x100 to 0x132, _start calls it from 0x153.
{
	branches 0x9
	taken predicted=1 0x400132 0x400158 0x400119 0x400110 0x400153 0x400100
	taken mispred=1 0x400119 0x400110 0x400119 0x400110
	taken predicted=1 0x400119 0x400110 0xffffffff81000010 0x400116 0x400113 0xffffffff81000000 0x400119 0x400110
} | assemble >list.pk
bolt list.pk
echo "== each trace"
bolt --traces list.pk
echo "== for llvm-profgen: a range over the call at 0x153 is left out, and the kernel is another object"
{
	branches 0x9
	taken predicted=1 0x400158 0x400150 0x400132 0x400150
	taken predicted=1 0x400119 0x400110 0xffffffff81000010 0x400116 0x400113 0xffffffff81000000 0x400119 0x400110
} | assemble >profgen.pk
pk-export profgen --symfs=root profgen.pk
echo "status $?"
echo "== two sessions have twice the counts, and a pipe has the same counts as a file"
cat list.pk list.pk | pk-export bolt --symfs=root | diff <(pk-export bolt --symfs=root list.pk) - | grep -c '^>'
pk-filter -q --where 'ip > 0' list.pk | pk-export bolt --symfs=root | cmp - <(pk-export bolt --symfs=root list.pk)
echo "== branches of other objects, entries that are cut, and ranges that are none"
{
	branches 0x9
	taken predicted=1 0x400132 0x400158 0x700010 0x400110 0x400119 0x700000 0x0 0x400110 0x400119 0x0
	taken predicted=1 0x400110 0x400100 0x400132 0x400158
	taken predicted=1 0x700020 0x700000 0x700020 0x700000
} | assemble >others.pk
bolt others.pk
echo "== only some kinds of branches"
{
	branches 0x11
	taken predicted=1 0x400119 0x400110 0x400119 0x400110
} | assemble >calls.pk
bolt calls.pk
echo "== no branches"
{
	branches 0x9
	taken predicted=1
	taken predicted=1
} | assemble >plain.pk
bolt plain.pk
bolt --basic list.pk
echo "== the recorded file, and another one"
bolt --object=root/src/list list.pk | head -2
bolt --object=/bin/sh list.pk
bolt --object=missing list.pk
rm root/src/list
bolt list.pk
cp "$PK_TOP/tests/data/annotate/list" root/src
echo "== a file for each object"
mkdir out root/lib
cp root/src/list root/lib/other
bolt -o out others.pk
head -2 out/*
echo "== each golden stream, good or bad"
for stream in "$PK_TOP"/format/vectors/{good,bad}/*.pk; do
	for format in bolt profgen; do
		pk-export $format -q --no-cache -o out "$stream" >/dev/null 2>err
		status=$?
		[ $status -le 1 ] || echo "$stream: status $status"
		pk-export $format -q --no-cache -o out "$stream" 2>&1 >/dev/null | cmp - err
	done
done
echo "== conditions and limits"
pk-export bolt -o empty --symfs=root --where "ip > 0x500000" list.pk
bolt --event=none list.pk
