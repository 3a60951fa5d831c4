# SPDX-License-Identifier: BSD-2-Clause
# Memory of huge pages has no file that could be read: MAP_HUGETLB, which differs between machines.
. "$PK_TOP/tests/cli/stream.bash"
{
	header
	event 1 7
	at=0x10000
	for flags in 2 0x40002 0x80002 0x100002 0x3802; do # the last one: other flags that the kernel reports
		echo "MMAP2 misc=(user) pid=5 tid=5 addr=$at len=0x1000 prot=7 flags=$flags filename=\"/mnt/x\""
		sample 7 5 $at
		at=$((at + 0x10000))
	done
} | assemble >huge.pk
pk-script -q -F ip,dso huge.pk
