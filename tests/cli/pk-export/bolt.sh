# SPDX-License-Identifier: BSD-2-Clause
# Profiles for perf2bolt and llvm-profgen: branches, the code between them, sums over sessions, samples without branches, kinds of branches, interrupts,
# other objects, and files that are not the recorded ones.
. "$PK_TOP/tests/cli/pk-export/branches.bash"
exec 2>&1

{
	branches 0x9
	taken predicted=1 0x132 0x158 0x119 0x110 0x153 0x100
	taken mispred=1 0x119 0x110 0x119 0x110
	taken predicted=1 0x119 0x110 0xffffffff80c00010 0x116 0x113 0xffffffff80c00000 0x119 0x110
} | assemble >list.pk
exported bolt list.pk
echo "== each trace"
exported bolt --traces list.pk
echo "== for llvm-profgen: a range over the call at 0x153 is left out, and the kernel is another object"
{
	branches 0x9
	taken predicted=1 0x158 0x150 0x132 0x150
	taken predicted=1 0x119 0x110 0xffffffff80c00010 0x116 0x113 0xffffffff80c00000 0x119 0x110
} | assemble >profgen.pk
exported profgen profgen.pk
echo "== a segment that does not start with a page has the same addresses"
pk-export profgen -q --symfs=root profgen.pk >expected
# offset, address, and sizes of the first segment
printf '\x80' | dd of=root/src/list bs=1 seek=72 conv=notrunc status=none
printf '\x80' | dd of=root/src/list bs=1 seek=80 conv=notrunc status=none
printf '\x20\x01' | dd of=root/src/list bs=1 seek=96 conv=notrunc status=none
printf '\x20\x01' | dd of=root/src/list bs=1 seek=104 conv=notrunc status=none
readelf -l root/src/list | awk '$1 == "LOAD" { print $2, $3; exit }'
pk-export profgen -q --symfs=root profgen.pk | cmp - expected
cp "$PK_TOP/tests/data/annotate/list" root/src
echo "== two sessions have twice the counts, and a pipe has the same counts as a file"
cat list.pk list.pk | pk-export bolt --symfs=root | diff <(pk-export bolt --symfs=root list.pk) - | grep -c '^>'
pk-filter -q --where 'ip > 0' list.pk | pk-export bolt --symfs=root | cmp - <(pk-export bolt --symfs=root list.pk)
echo "== branches of other objects, entries that are cut, and ranges that are none"
{
	branches 0x9
	taken predicted=1 0x132 0x158 0x300010 0x110 0x119 0x300000 -0x400000 0x110 0x119 -0x400000
	taken predicted=1 0x110 0x100 0x132 0x158
	taken predicted=1 0x300020 0x300000 0x300020 0x300000
} | assemble >others.pk
exported bolt others.pk
echo "== only some kinds of branches"
{
	branches 0x11
	taken predicted=1 0x119 0x110 0x119 0x110
} | assemble >calls.pk
exported bolt calls.pk
echo "== branches that perf inject has found in a trace are of no kind, and are all branches"
{
	branches 0x20000
	taken predicted=1 0x132 0x158 0x119 0x110
} | assemble >traced.pk
exported bolt traced.pk
echo "== branches of Arm SPE: each sample has one branch"
(
	. "$PK_TOP/tests/cli/pk-decode/spe.bash"
	head_of_trace
	trace 0 0 0 "$(branch 0x400119 5 100 0x400110 0x0b 0x82)$(branch 0x400119 5 200 0x40011b 0x0b 0x42)"
) | assemble | pk-decode -q -e branch >spe.pk
mkdir root/bin
cp root/src/list root/bin/prog
exported bolt spe.pk
echo "== the kernel, in two sessions with different addresses"
objcopy --change-addresses=0xffffffff80000000 --add-symbol _text=.text:0,global root/src/list vmlinux 2>/dev/null
# moved ADDRESS: a session of a kernel whose symbol _text is at this address, and of the program
moved()
{
	branches 0xa
	echo "MMAP misc=(kernel) pid=-1 tid=0 addr=$1 len=0x1000 pgoff=$1 filename=\"[kernel.kallsyms]_text\""
	base=$(($1 - 0xf0))
	taken mispred=1 0x119 0x110 0x119 0x110 $((0x400110 - base)) 0x100
	taken predicted=1 0x132 $((0x400158 - base)) $((0x400119 - base)) $((0x400110 - base)) 0x153 0x100
	base=0x400000
}
for at in 0xffffffff9e4000f0 0xffffffff8f4000f0; do
	moved $at | assemble
done >kernel.pk
exported bolt --object=vmlinux kernel.pk
exported bolt kernel.pk
exported bolt --basic --object=vmlinux kernel.pk
strip -o stripped vmlinux
exported bolt --object=stripped kernel.pk
{
	branches 0xa
	taken predicted=1 -0x7fc00000 -0x7fc00000
} | assemble >only.pk
exported bolt only.pk
echo "== no branches"
{
	branches 0x9
	taken predicted=1
	taken predicted=1
} | assemble >plain.pk
exported bolt plain.pk
exported bolt --basic list.pk
echo "== the recorded file, and another one"
exported bolt --object=root/src/list list.pk | head -2
exported bolt --object=/bin/sh list.pk
exported bolt --object=missing list.pk
rm root/src/list
exported bolt list.pk
cp "$PK_TOP/tests/data/annotate/list" root/src
echo "== a file for each object"
mkdir out root/lib
cp root/src/list root/lib/other
exported bolt -o out others.pk
head -2 out/*
echo "== conditions and limits"
pk-export bolt -o empty --symfs=root --where "ip > 0x500000" list.pk
exported bolt --event=none list.pk
