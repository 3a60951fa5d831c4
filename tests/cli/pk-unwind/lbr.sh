# SPDX-License-Identifier: BSD-2-Clause
# The processor's call stack: the kernel's half of the callchain, where the user was, and the calls.
. "$PK_TOP/tests/cli/stream.bash"
kernel=0xffffffff81001000
{
	header
	event_of 7 'CALLCHAIN BRANCH_STACK' attr_size=80 branch_sample_type=0xc801
	comm 5 5 prog
	maps_as 5 5 0x501000 0x1000 /fix/syscalls-nofp 0x1000
	# in user space; the callchain was taken a bit later
	sample_of user 7 5 0x5012d8 'ips[0]=(user) ips[1]=0x5012e0' \
		'branch[0]=0x501350 -> 0x5012d0 branch[1]=0x501199 -> 0x501130'
	# in the kernel, where frame pointers led to something
	sample_of kernel 7 5 $kernel "ips[0]=(kernel) ips[1]=$kernel ips[2]=(user) ips[3]=0x5012d4 ips[4]=0x77" \
		'branch[0]=0x501199 -> 0x501130'
	# no call is known, no user part, nothing at all
	sample_of user 7 5 0x5012d8 'ips[0]=(user) ips[1]=0x5012d8'
	sample_of kernel 7 5 $kernel "ips[0]=(kernel) ips[1]=$kernel branch[0]=0x501199 -> 0x501130"
	sample_of user 7 5 0x5012d8
} | assemble >lbr.pk
show()
{
	pk-script -q --symfs "$PK_TOP/tests/data/unwind" -F ip,sym "$1"
	pk-script --dump "$1" | grep -aE '^  (sample_type|branch_sample_type)='
}
pk-unwind -v -o unwound.pk lbr.pk 2>&1
show unwound.pk
pk-unwind --keep lbr.pk | pk-unwind -q -o kept.pk
show kept.pk
