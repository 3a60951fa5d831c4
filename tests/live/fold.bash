# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Sourced by the scripts that fold what they record. The scripts compile the programs to record,
# because they test different ways of linking.
. "$PK_TOP/tests/live/record.bash"

# compile SOURCE PROGRAM [FLAGS]: with frame pointers, which callchains need.
compile()
{
	local source=$PK_TOP/tests/live/workload/$1 program=$2
	shift 2
	${CC:-cc} -std=gnu11 -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -o "$program" "$source" "$@" \
		>compile.err 2>&1
}

# fold FILE: writes its stacks to the file folded, and the messages of pk-symbolize to err.
fold()
{
	pk-symbolize "$1" 2>err | pk-fold >folded 2>>err
	[ "${PIPESTATUS[*]}" = '0 0' ] || fail "fold: $(cat err)"
}

# The sum of nanoseconds (or of another count) of the stacks that match a regular expression, from the
# thread's name to the leaf.
weight()
{
	grep -E -- "^($1) [0-9]+$" folded | awk '{ n += $NF } END { printf "%.0f\n", n }'
}

# shows COMM FRAMES MILLISECONDS: these frames of that thread, with any callers and callees, have that
# time, within the error of sampling.
shows()
{
	local found
	found=$(weight "$1(;.*)?;$2(;.*)?")
	[ "$found" -ge $((600000 * $3)) ] ||
		fail "$1: $((found / 1000000)) ms, not $3, in $2; there is" "$(grep -E -- "^$1;" folded | cut -c1-300)"
}

# shows_not REGEX: no stack matches.
shows_not()
{
	! grep -E -- "$1" folded | cut -c1-300 | head -n 10 | grep . || fail "should not be there: $1"
}

# whole FILE OPTION... -- COMMAND...: recorded, with what the command says in the file said. The kernel can skip a program of BPF
# while another one runs, and a busy machine can lose samples. Both are counted. Then it is recorded again.
whole()
{
	local file=$1 try
	shift
	for try in 1 2 3 4 5 6; do
		pk-record --off-cpu "$@" >"$file" 2>said &
		recorder=$!
		wait $recorder || fail "$*: $(cat said)"
		grep -q -e 'blocks are missing' -e 'lost: the rings' said || break
	done
	[ "$try" != 6 ] || skip "incomplete: $(grep -e missing -e lost said)"
	check "$file"
}

# Without privileges, pk-record records only user space, and prints a message, unless user space was requested.
event=cpu-clock
pk-record -e cpu-clock -o probe.pk -- true 2>probe.err
! grep -q 'user space only' probe.err || event=cpu-clock:u
