# SPDX-License-Identifier: BSD-2-Clause
# Profiles of lines for clang: calls, instructions that did not run, sums over sessions, samples without branches, cut streams, perf.data
# files, filters in front, and files without debugging information. tests/long/pgo.sh compares them with llvm-profgen.
. "$PK_TOP/tests/cli/pk-annotate/list.bash"
exec 2>&1

# branches KIND [ADDRESS]: an event with branch stacks, and the program at ADDRESS
branches()
{
	header
	event_of 7 'PERIOD BRANCH_STACK' attr_size=80 "branch_sample_type=$1"
	name 7 cycles
	comm 5 5 list
	maps_as 5 5 "${2-0x400000}" 0x1000 /src/list
}

# taken BASE FROM TO ...: a sample with these branches, the newest first
taken()
{
	local i=0 base=$1
	sample_of user 7 5 $((base + 0x100)) time=1 period=100
	shift
	while [ $# -gt 0 ]; do
		echo "  branch[$i]=$(printf '0x%x -> 0x%x' $((base + $1)) $((base + $2))) predicted=1"
		i=$((i + 1))
		shift 2
	done
}

autofdo()
{
	echo "$ pk-export autofdo $*"
	pk-export autofdo --symfs=root "$@"
	echo "status $?"
}

# add is 0x100 to 0x132, _start calls it from 0x153.
samples()
{
	taken "$1" 0x132 0x158 0x119 0x110 0x153 0x100
	taken "$1" 0x119 0x110 0x119 0x110
}

{
	branches 0x9
	samples 0x400000
} | assemble >list.pk
autofdo list.pk
pk-export autofdo --symfs=root list.pk >expected
echo "== the same program at another address, a filter in front, a perf.data file, and a pipe"
{
	branches 0x9 0x7f0000000000
	samples 0x7f0000000000
} | assemble >elsewhere.pk
pk-export autofdo --symfs=root elsewhere.pk | cmp - expected
pk-filter -q --where 'comm == "list"' list.pk | pk-export autofdo --symfs=root | cmp - expected
pk-export perf.data -q -o perf.data list.pk
pk-export autofdo --symfs=root perf.data | cmp - expected
pk-export autofdo --symfs=root --object root/src/list -q <list.pk | cmp - expected
echo "== two sessions have twice the counts"
cat list.pk elsewhere.pk | pk-export autofdo --symfs=root | head -n 3
echo "== cut in the last sample"
head -c -20 list.pk >cut.pk
autofdo cut.pk | head -n 3
echo "== no branches"
{
	branches 0x9
	taken 0x400000
	taken 0x400000
} | assemble >plain.pk
autofdo plain.pk
echo "== no debugging information"
strip -g -o root/src/stripped root/src/list
mv root/src/stripped root/src/list
autofdo list.pk
echo "== each golden stream, good or bad"
mkdir out
for stream in "$PK_TOP"/format/vectors/{good,bad}/*.pk; do
	pk-export autofdo -q --no-cache -o out "$stream" >/dev/null 2>err
	status=$?
	[ $status -le 1 ] || echo "$stream: status $status"
done
