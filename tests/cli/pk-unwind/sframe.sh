# SPDX-License-Identifier: BSD-2-Clause
# A program without .eh_frame and without frame pointers, whose .sframe has the rules: tests/data/sframe/spin.
. "$PK_TOP/tests/cli/stream.bash"

# A sample in inner(), whose frame of 0x88 bytes is at 0x7fff1000. That of outer() has 0x50 bytes.
{
	header
	echo 'HEADER_ATTR attr_type=1 attr_size=112 sample_period=1000 sample_regs_user=0x1c0 sample_stack_user=256 id=7'
	echo '  sample_type=(IDENTIFIER IP TID TIME REGS_USER STACK_USER) flags=(sample_id_all exclude_callchain_user)'
	feature ARCH 'arch="x86_64"'
	comm 5 5 spin
	maps_as 5 5 0x400000 0x1000 /spin
	words=$(printf '8:0 %.0s' {1..17})
	words+="8:0x400105 $(printf '8:0 %.0s' {1..9}) 8:7 8:0x4000ed 8:1 8:2 8:3"
	sample_of user 7 5 0x400117 "user_regs[6]=1 user_regs[7]=0x7fff1000 user_regs[8]=0x400117" "user_stack={$words}"
} | assemble >data.pk
pk-unwind -v --symfs "$PK_TOP/tests/data/sframe" -o unwound.pk data.pk
pk-script -q --symfs "$PK_TOP/tests/data/sframe" -F ip,sym unwound.pk
