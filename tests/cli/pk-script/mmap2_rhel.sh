# SPDX-License-Identifier: BSD-2-Clause
# Linux 3.10 of RHEL 7 writes MMAP2 without prot and flags.
. "$PK_TOP/tests/cli/stream.bash"
# mmap2 MISC ADDR NAME
mmap2()
{
	echo "MMAP2 misc=$1 pid=5 tid=5 addr=$2 len=4096 maj=8 min=1 ino=77 filename=\"$3\""
}
{
	header
	event 1 7
	name 7 cpu-clock
	comm 5 5 prog
	mmap2 2 0x10000 /x
	mmap2 2 0x20000 /usr/bin/prog
	mmap2 $((2 | 1 << 13)) 0x30000 /usr/share/data
	sample 7 5 0x10010 1
	sample 7 5 0x20010 1
	sample 7 5 0x30010 1
} | assemble >rhel.pk
pk-script -F comm,ip,dso --show-mmap-events --symfs /nonexistent rhel.pk
