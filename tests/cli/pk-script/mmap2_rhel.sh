# SPDX-License-Identifier: BSD-2-Clause
# Linux 3.10 of RHEL 7 writes MMAP2 without prot and flags.
. "$PK_TOP/tests/cli/stream.bash"
# mmap2 MISC ADDR NAME
mmap2()
{
	{
		nums 44888 5 5 "$2" 4096 0
		nums 4488 8 1 77 0
		text "$3"
		trailer 7
	} | record 10 "$1"
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
} >rhel.pk
pk-script -F comm,ip,dso --show-mmap-events --symfs /nonexistent rhel.pk
