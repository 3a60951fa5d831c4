# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154
# Sourced after inputs.bash: $objects, a folder for --symfs with objects of many kinds (plain, stripped with a
# file of debugging information elsewhere, compressed, split, packed, C++, a perf map, a jitdump, kallsyms), and
# $everywhere, a stream with samples in all of them.
objects=$here/objects everywhere=$here/everywhere.pk
corpus=$PK_TOP/fuzz/corpus
mkdir -p "$objects/x" "$objects/src" "$objects/tmp" "$objects/usr/lib/debug/x"
cp "$corpus"/elf/* "$corpus"/dwarf/* "$objects/x"
# The other halves: beside, by debug link, by path, as a package, as a .dwo.
cp "$objects/x/big-endian" "$objects/x/x.debug"
cp "$corpus/elf/debug-only" "$objects/usr/lib/debug/x/i386.so.debug"
cp "$corpus/dwarf/package4" "$objects/x/package4.dwp"
cp "$corpus/dwarf/package5" "$objects/x/package5.dwp"
cp "$corpus/dwarf/split5-g++" "$objects/src/s.dwo"
# What .dynsym does not have, compressed within the file.
xz -c "$corpus/elf/x86-64-ibt.so" >mini.xz
objcopy --add-section .gnu_debugdata=mini.xz "$corpus/elf/x86-64-stripped.so" "$objects/x/mini.so" || exit
cp "$corpus/jitdump/little" "$objects/tmp/jit-5.dump"
printf '%s\n' '7f0000 100 one' '7f0100 80 void two<int>(char)' '7f0180 20 three' >"$objects/tmp/perf-5.map"
for i in {100..140}; do
	echo "ffffffff81000$i T name_$i"
	echo "ffffffffc0000$i t inner_$i	[module]"
done >"$objects/kallsyms"

# There are many records: these do without further processes.
# bytes WIDTH VALUE: appends to $packed
bytes()
{
	local i escaped
	for ((i = 0; i < $1; i++)); do
		printf -v escaped '\\x%02x' $((($2 >> 8 * i) & 255))
		packed+=$escaped
	done
}

# mapped START SIZE FILE: by process 5
mapped()
{
	local size=$(((${#3} + 8) / 8 * 8)) i
	packed=
	bytes 4 1 && bytes 2 2 && bytes 2 $((8 + 32 + size + 24))
	bytes 4 5 && bytes 4 5 && bytes 8 "$1" && bytes 8 "$2" && bytes 8 0
	packed+=$3
	for ((i = ${#3}; i < size + 16; i++)); do
		packed+='\x00'
	done
	bytes 8 0
	# shellcheck disable=SC2059 # escapes on purpose
	printf "$packed"
}

# hit MODE IP: a sample of process 5
hit()
{
	packed=
	bytes 4 9 && bytes 2 "$1" && bytes 2 48
	bytes 8 7 && bytes 8 "$2" && bytes 4 5 && bytes 4 5 && bytes 8 0 && bytes 8 1000
	# shellcheck disable=SC2059
	printf "$packed"
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
} >"$everywhere"
