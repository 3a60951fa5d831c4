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
# perf inject --jit writes the mode of its file as protection. The bit for a build-id can also be set where the record
# has a device (8:1) and an inode (77).
{
	header
	event 1 7
	name 7 cpu-clock
	comm 5 5 prog
	echo 'MMAP2 misc=2 pid=5 tid=5 addr=0x10000 len=4096 maj=8 min=1 ino=77 prot=0x81a4 flags=0 filename="/tmp/jitted-5-1.so"'
	echo 'MMAP2 misc=0x4002 pid=5 tid=5 addr=0x20000 len=4096 build_id_size=8'
	echo '  build_id=010000004d000000 prot=5 flags=2 filename="/usr/bin/prog"'
	sample 7 5 0x10010 1
	sample 7 5 0x20010 1
} | assemble >jit.pk
pk-script -F comm,ip,dso --show-mmap-events --symfs /nonexistent jit.pk
pk-script --dump jit.pk | grep -A 11 'misc=0x4002'
# simpleperf's protection of JIT code, also in the other byte order, and the largest protection of other code
jit()
{
	header
	event 1 7
	name 7 cpu-clock
	comm 5 5 prog
	echo 'MMAP2 misc=2 pid=5 tid=5 addr=0x10000 len=4096 maj=0 min=0 ino=0 prot=0x4000 flags=0 filename="perf.data_jit:1-9"'
	echo 'MMAP2 misc=2 pid=5 tid=5 addr=0x20000 len=4096 maj=8 min=1 ino=77 prot=0x0300003f flags=2 filename="/usr/bin/prog"'
	echo 'MMAP2 misc=2 pid=5 tid=5 addr=0x30000 len=4096 maj=8 min=1 ino=78 prot=0x816d flags=0 filename="/tmp/jitted-5-2.so"'
	sample 7 5 0x10010 1
	sample 7 5 0x20010 1
	sample 7 5 0x30010 1
}
jit | assemble >simpleperf.pk
pk-script -F comm,ip,dso --show-mmap-events --symfs /nonexistent simpleperf.pk >little
cat little
jit | sed '1s/$/ byte_order=big/' | assemble >big.pk
pk-script -F comm,ip,dso --show-mmap-events --symfs /nonexistent big.pk | cmp - little
pk-report -q --no-inline --symfs /nonexistent -s dso simpleperf.pk
