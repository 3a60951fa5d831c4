# SPDX-License-Identifier: BSD-2-Clause
# Blocks between the branches of branch stacks: in how many blocks each instruction is, blocks that start and end there,
# predictions, cycles. What cannot be a block is counted, and costs little.
. "$PK_TOP/tests/cli/pk-annotate/list.bash"

# branches KIND...: an event with branch stacks, of the bits of branch_sample_type
branches()
{
	header
	event_of 7 'PERIOD BRANCH_STACK' attr_size=80 "branch_sample_type=$1"
	name 7 cycles
	comm 5 5 list
	maps 5 0x400000 0x1000 /src/list
}

# taken IP FROM TO FLAGS...: a sample with these branches, the newest first; FLAGS without blanks: predicted=1,cycles=4
taken()
{
	local i=0
	sample_of user 7 5 $((0x400000 + $1)) time=1 period=100
	shift
	while [ $# -gt 2 ]; do
		echo "  branch[$i]=$(printf '0x%x -> 0x%x' $(($1)) $(($2))) ${3//,/ }"
		i=$((i + 1))
		shift 3
	done
}

blocks()
{
	assemble | pk-symbolize -q --symfs=root >list.pk
	try -i list.pk --blocks --arrows=no "$@"
}

echo "== known numbers"
# The loop of _start calls add, whose loop runs three times. The blocks of add are 100-119, 110-119 and 110-132, of 8, 4
# and 10 instructions in 6, 4 and 10 cycles.
{
	branches 0x9
	taken 0x12f 0x400132 0x400158 predicted=1,cycles=10 0x400119 0x400110 mispred=1,cycles=4 \
		0x400119 0x400110 predicted=1,cycles=6 0x400153 0x400100 predicted=1 0x400158 0x400150 predicted=1
	taken 0x150
} | blocks
pk-annotate --symfs=root -i list.pk --blocks --json add | grep -o '"blocks":{[^}]*}\|"address":[^,]*\|"executed":[^}]*' | paste -sd ' ' |
	sed 's/ "address"/\n"address"/g'

echo "== not blocks"
{
	branches 0x9
	# Backwards; from add to _start; from the first to the last address; within an instruction; in no map.
	for ((i = 0; i < 100; i++)); do
		taken 0x110 0x400110 0x400110 cycles=1 0x400110 0x400119 cycles=1 0x400153 0x400158 cycles=1 \
			0xfffffffffffffffe 0x400110 cycles=65535 0x400112 0x0 cycles=1 0x400113 0x400111 cycles=1 0x1000 0x400110 cycles=1
	done
} | blocks add | grep -v '^ *[0-9.]* :   4001[0-9a-f]*:'
echo "== some kinds of branches"
{
	branches 0x11
	taken 0x110 0x400119 0x400110 cycles=4 0x400119 0x400110 cycles=6
} | blocks --hottest=1 --context=0
echo "== no branches"
some_heat | blocks --context=0 add
try --blocks --by-line list.pk
