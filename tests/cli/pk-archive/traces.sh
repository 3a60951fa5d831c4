# SPDX-License-Identifier: BSD-2-Clause
# The decoders of Intel PT (1) and CoreSight (3) need the code of all mapped objects. That of Arm SPE (4) does not.
mkdir -p rootfs
echo 'int main(void) { return 0; }' >main.c
${CC:-cc} -g -o rootfs/a main.c -Wl,--build-id=0x0102030405060708090a0b0c0d0e0f1011121314 || exit 77
for kind in 1 3 4; do
	{
		echo BEGIN
		echo 'HEADER_ATTR attr_type=8 sample_period=1 sample_type=(IP TID IDENTIFIER) id=1'
		echo 'HEADER_FEATURE feature=(HOSTNAME) hostname="elsewhere"'
		echo "AUXTRACE_INFO aux_type=$kind priv[0]=8"
		echo 'MMAP misc=(user) pid=100 tid=100 addr=0x400000 len=0x1000 filename="/a"'
		echo 'MMAP misc=0x2002 pid=100 tid=100 addr=0x500000 len=0x1000 filename="/data"'
	} | "$PK_BUILD/tests/assemble/assemble" >in.pk
	echo "kind $kind: $(pk-archive --symfs rootfs in.pk | tar -t | grep -c /elf) objects"
	pk-archive --list in.pk
done
