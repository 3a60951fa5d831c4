# SPDX-License-Identifier: BSD-2-Clause
# Callers are in executable maps: words that point to a stack or a heap which is listed among the maps, or to
# nothing, are none. Code that has no file is.
. "$PK_TOP/tests/cli/stream.bash"

# stack IP BP WORD...: registers of a sample of process `pid` (5), and its stack at 0x7fff1000
stack()
{
	local ip=$1 bp=$2
	shift 2
	set -- "$@" 0 0 0 0 0 0 0 0
	sample_of user 7 "${pid-5}" "$ip" "user_regs[6]=$bp user_regs[7]=0x7fff1000 user_regs[8]=$ip" \
		"user_stack={$(printf '8:%s ' "${@:1:8}")}"
}
{
	header
	echo 'HEADER_ATTR attr_type=1 attr_size=112 sample_period=1000 sample_regs_user=0x1c0 sample_stack_user=64 id=7'
	echo '  sample_type=(IDENTIFIER IP TID TIME REGS_USER STACK_USER) flags=(sample_id_all exclude_callchain_user)'
	feature ARCH 'arch="x86_64"'
	comm 5 5 prog
	maps_as 5 5 0x400000 0x1000 /nonexistent
	maps_as 5 5 0x501000 0x1000 /fix/syscalls-nofp 0x1000
	maps_as 3 5 0x600000 0x1000 //anon
	maps_as 7 5 0x700000 0x1000 //anon
	maps_as 3 5 0x7fff0000 0x2000 '[stack]'
	# a map of all segments of the file, as Linux reports it for some programs
	maps_as 5 6 0x501000 0x13000 /fix/syscalls-nofp 0x1000
	# by frame pointer: from code to code, and then
	for to in 0x7fff1008 0x600010 0x900010 0x1 0 0x700010; do
		stack 0x400010 0x7fff1010 0 0 0x7fff1020 0x400101 0x7fff1030 $to
	done
	# by call frame information; the last but one is the end of a map, after a call that does not return
	for to in 0x7fff1008 0x600010 0x900010 0x1 0 0x701000 0x700010; do
		stack 0x5012d0 0 $to
	done
	# in that map: data after the code, data after the file, and code
	for to in 0x503000 0x508000 0x501101; do
		pid=6 stack 0x5012d0 0 $to
	done
} | assemble >data.pk
pk-unwind --symfs "$PK_TOP/tests/data/unwind" data.pk | pk-script -q -F ip | sed 's/^[ \t]*//'
