# SPDX-License-Identifier: BSD-2-Clause
# Rows of --frames address from streams that are not symbolized: offsets of calls in files, and functions that only the stream has, of the
# kernel and of a JIT compiler. Keys are equal where the kernel and the program are at other addresses and the process has another number.
. "$PK_TOP/tests/cli/stream.bash"
exec 2>&1

# recording PID KERNEL PROGRAM JIT [symbols]: a sample in the kernel, which JIT code has entered, which the program has called; and one that
# ends at the same address of the program
recording()
{
	local pid=$1 kernel=$2 program=$3 jit=$4
	header
	event_of 7 'PERIOD CALLCHAIN'
	name 7 cpu-clock
	feature HOSTNAME 'hostname="elsewhere"'
	build_id user /bin/prog
	build_id kernel '[kernel.kallsyms]' | sed 's/1111111111111111222222222222222233333333/4444444444444444555555555555555566666666/'
	comm "$pid" "$pid" prog
	echo "MMAP misc=(kernel) pid=-1 addr=$kernel len=0x1000000 pgoff=$kernel filename=\"[kernel.kallsyms]_text\""
	maps_as 5 "$pid" "$program" 0x1000 /bin/prog 0x2000
	maps_as 5 "$pid" "$jit" 0x1000 //anon
	if [ -n "${5-}" ]; then
		echo 'IMAGE id=1 kind=2 path="[kernel.kallsyms]"'
		echo "SYMBOLS image=1 count=1 symbol[0].start=$((kernel + 0x100)) symbol[0].size=256 symbol[0].length=8 symbol[0].name=\"sys_read\""
		echo "IMAGE id=2 kind=5 pid=$pid path=\"/tmp/perf-$pid.map\""
		echo "SYMBOLS image=2 count=1 symbol[0].start=$((jit + 0x10)) symbol[0].size=64 symbol[0].length=7 symbol[0].name=\"JS:*hot\""
		echo 'IMAGE id=3 kind=1 path="/bin/prog"'
		echo "SYMBOLS image=3 count=1 symbol[0].start=0x2000 symbol[0].size=256 symbol[0].length=4 symbol[0].name=\"main\""
	fi
	echo "SAMPLE misc=(kernel) id=7 ip=$((kernel + 0x120)) pid=$pid tid=$pid time=100 period=10"
	echo "  ips[0]=(kernel) ips[1]=$((kernel + 0x120)) ips[2]=(user) ips[3]=$((jit + 0x20)) ips[4]=$((program + 0x41))"
	echo "SAMPLE misc=(user) id=7 ip=$((program + 0x41)) pid=$pid tid=$pid time=200 period=10"
	echo "  ips[0]=(user) ips[1]=$((program + 0x41))"
}

recording 5 0xffffffff81000000 0x401000 0x7f0000000000 symbols | assemble >a.pk
recording 6 0xffffffff92000000 0x55550000 0x7f1200000000 symbols | assemble >b.pk
recording 5 0xffffffff81000000 0x401000 0x7f0000000000 | assemble >plain.pk
recording 6 0xffffffff92000000 0x55550000 0x7f0000000000 | assemble >moved.pk
for stream in a plain; do
	echo "== $stream"
	pk-export rows --frames address --by none $stream.pk
	pk-export rows -q --frames address --by none <$stream.pk | cmp - <(pk-export rows -q --frames address --by none $stream.pk)
done
for stream in a b plain moved; do
	mkdir $stream
	pk-export rows --frames address --by none --tables $stream $stream.pk
done
cat a/frames.tsv a/objects.tsv
for table in frames objects stacks samples; do
	cmp a/$table.tsv b/$table.tsv
	cmp plain/$table.tsv moved/$table.tsv
done
echo "== symbolized on its machine"
pk-symbolize -q a.pk | pk-export rows -q --frames address --by none | cmp - <(pk-export rows -q --frames address --by none a.pk)
