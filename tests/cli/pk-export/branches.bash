# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Sourced by the tests of profiles for optimizers. The program list of tests/data/annotate with samples of branches. add is 0x100 to 0x132, and _start calls it from 0x153.
. "$PK_TOP/tests/cli/pk-annotate/list.bash"

# branches KIND [ADDRESS [FILE]]: an event with branch stacks of these bits of branch_sample_type, and a program at ADDRESS
branches()
{
	header
	event_of 7 'PERIOD BRANCH_STACK' attr_size=80 "branch_sample_type=$1"
	name 7 cycles
	comm 5 5 list
	maps_as 5 5 "${2-0x400000}" 0x1000 "${3-/src/list}"
	maps_as 5 5 0x700000 0x1000 /lib/other
}

# taken FLAGS FROM TO ...: a sample with these branches, the newest first. The addresses are relative to $base
base=0x400000
taken()
{
	local i=0 flags=$1
	sample_of user 7 5 $((base + 0x100)) time=1 period=100
	shift
	while [ $# -gt 0 ]; do
		echo "  branch[$i]=$(printf '0x%x -> 0x%x' $((base + $1)) $((base + $2))) $flags"
		i=$((i + 1))
		shift 2
	done
}

# exported FORMAT [OPTION...]: prints the command, its output and its status
exported()
{
	echo "$ pk-export $*"
	pk-export "$1" --symfs=root "${@:2}"
	echo "status $?"
}
