# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154
# Sourced after inputs.bash: $objects, a folder for --symfs with objects of many kinds (plain, stripped with a
# file of debugging information elsewhere, compressed, split, packed, C++, a perf map, a jitdump, kallsyms), and
# $everywhere, a stream with samples in all of them.
objects=$here/objects everywhere=$here/everywhere.pk
corpus=$PK_TOP/fuzz/corpus
mkdir -p "$objects/x" "$objects/src" "$objects/tmp" "$objects/usr/lib/debug/x"
cp "$corpus"/elf/* "$corpus"/dwarf/* "$objects/x"
# Files of debugging information: beside the object, by debug link, by path, as a package, as a .dwo.
cp "$objects/x/big-endian" "$objects/x/x.debug"
cp "$corpus/elf/debug-only" "$objects/usr/lib/debug/x/i386.so.debug"
cp "$corpus/dwarf/package4" "$objects/x/package4.dwp"
cp "$corpus/dwarf/package5" "$objects/x/package5.dwp"
cp "$corpus/dwarf/split5-g++" "$objects/src/s.dwo"
# Symbols that .dynsym lacks, compressed inside the file.
xz -c "$corpus/elf/x86-64-ibt.so" >mini.xz
objcopy --add-section .gnu_debugdata=mini.xz "$corpus/elf/x86-64-stripped.so" "$objects/x/mini.so" || exit
cp "$corpus/jitdump/little" "$objects/tmp/jit-5.dump"
printf '%s\n' '7f0000 100 one' '7f0100 80 void two<int>(char)' '7f0180 20 three' >"$objects/tmp/perf-5.map"
for i in {100..140}; do
	echo "ffffffff81000$i T name_$i"
	echo "ffffffffc0000$i t inner_$i	[module]"
done >"$objects/kallsyms"

# mapped START SIZE FILE: by process 5
mapped()
{
	maps 5 "$@"
}

# hit MISC IP
hit()
{
	echo "SAMPLE misc=$1 id=7 ip=$2 pid=5 tid=5 time=0 period=1000"
}

{
	header
	event 1 7
	name 7 cycles
	comm 5 5 program
	base=$((0x10000000))
	for file in "$objects"/x/*; do
		mapped $base 0x10000 "/x/${file##*/}"
		for offset in 0xb8 0xc5 0x150 0x228 0x2e6 0x3a8 0x3e6 0x4b1 0x4e5; do
			hit 2 $((base + offset))
		done
		base=$((base + 0x100000))
	done
	mapped 0x7f0000 0x1000 //anon
	mapped 0x6f0000 0x10000 /tmp/jit-5.dump
	hit 2 0x7f0010
	hit 2 0x7f0110
	hit 2 0x1008
	hit 2 0x2008
	hit 2 0x5008
	hit 1 0xffffffff81000104
	hit 1 0xffffffffc0000104
} | assemble >"$everywhere"
