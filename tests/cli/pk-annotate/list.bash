# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Sourced by the tests of pk-annotate: streams of tests/data/annotate/list, mapped at 0x400000, and its folder, root.
. "$PK_TOP/tests/cli/stream.bash"

mkdir -p root/src
cp "$PK_TOP/tests/data/annotate/list" "$PK_TOP/tests/data/annotate/list.c" root/src

begin()
{
	header
	event 1 7
	name 7 cycles
	comm 5 5 list
	maps 5 0x400000 0x1000 /src/list
}

# at ADDRESS [PERIOD [ID]]
at()
{
	sample "${3-7}" 5 $((0x400000 + $1)) "${2-100}"
}

# The hot loop, a call, the part that is apart.
some_heat()
{
	begin
	for address in 0x110 0x113 0x113 0x116 0x119 0x12f 0x153 0x158 0xf2; do
		at $address
	done
}

try()
{
	echo "$ pk-annotate $*"
	pk-annotate --symfs=root "$@" 2>&1
	echo "status $?"
}
