# SPDX-License-Identifier: BSD-2-Clause
# The processor's call stack: the kernel's half of the callchain, where the user was, and the calls.
. "$PK_TOP/tests/cli/stream.bash"
kernel=0xffffffff81001000
user=0xfffffffffffffe00
in_kernel=0xffffffffffffff80
{
	header
	event_of 7 0x820 0 0xc801
	comm 5 5 prog
	maps_as 5 5 0x501000 0x1000 /fix/syscalls-nofp 0x1000
	# in user space; the callchain was taken a bit later
	sample_of 2 7 5 0x5012d8 8888888888 2 $user 0x5012e0 2 0x501350 0x5012d0 0 0x501199 0x501130 0
	# in the kernel, where frame pointers led to something
	sample_of 1 7 5 $kernel 8888888888 5 $in_kernel $kernel $user 0x5012d4 0x77 1 0x501199 0x501130 0
	# no call is known, no user part, nothing at all
	sample_of 2 7 5 0x5012d8 8888 2 $user 0x5012d8 0
	sample_of 1 7 5 $kernel 8888888 2 $in_kernel $kernel 1 0x501199 0x501130 0
	sample_of 2 7 5 0x5012d8 88 0 0
} >lbr.pk
show()
{
	pk-script -q --symfs "$PK_TOP/tests/data/unwind" -F ip,sym "$1"
	pk-script --dump "$1" | grep -aE '^  (sample_type|branch_sample_type)='
}
pk-unwind -v -o unwound.pk lbr.pk 2>&1
show unwound.pk
pk-unwind --keep lbr.pk | pk-unwind -q -o kept.pk
show kept.pk
