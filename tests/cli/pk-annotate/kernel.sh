# SPDX-License-Identifier: BSD-2-Clause
# Code that is in no file of a process: the kernel's out of its ELF file, which was moved at boot, and differently the next time; a BPF
# program's out of the recording.
. "$PK_TOP/tests/cli/pk-annotate/list.bash"

# The program stands in for the kernel; its symbol add, at 0x400100, is what the map is placed by.
kernel_at()
{ # ADDRESS of what is 0x400100 in the file
	{
		nums 44888 0xffffffff 0 $(($1 - 0x100)) 0x1000 "$1"
		text '[kernel.kallsyms]add'
		trailer 0
	} | record 1 1
}
in_kernel()
{ # ADDRESS
	nums 884488 7 "$1" 5 5 0 100 | record 9 1
}
boot()
{ # ADDRESS
	header
	event 1 7
	name 7 cycles
	comm 5 5 list
	kernel_at "$1"
	in_kernel $(($1 + 0x10)) # 0x400110
	in_kernel $(($1 + 0x53)) # 0x400153
}

# feature ID, its content on stdin
feature()
{
	cat >content
	{
		num 8 "$1"
		cat content
		head -c $((-$(wc -c <content) & 7)) /dev/zero
	} | record 80 0
}
# struct bpf_prog_info of a program of one function, push %rbp; xor %eax,%eax; leave; ret, and what it points to.
program()
{ # ADDRESS [SIZE]
	local size=${2-5}
	nums 444 1 128 24
	num 8 $((1 << 0 | 1 << 3 | 1 << 4))
	nums 44 6 1
	printf 'abcdefgh'
	nums 4488 "$size" 0 0 0
	head -c 64 /dev/zero
	nums 4488 1 1 8 16
	printf '\x55\x31\xc0\xc9\xc3\0\0\0'
	nums 888 "$1" "$size" 0 | head -c 16
}
bpf()
{ # ADDRESS [SIZE]
	header
	event 1 7
	name 7 cycles
	{
		num 4 8
		text x86_64
	} | feature 6
	program "$@" | feature 25
	comm 5 5 list
	{
		nums 8422 "$1" 5 1 0
		text bpf_prog_6162636465666768_prog
		trailer 0
	} | record 17 0
	in_kernel "$1"
	in_kernel $(($1 + 3))
}

kallsyms()
{ # ADDRESS of add
	printf '%016x T add\n%016x T _start\n' "$1" $(($1 + 0x40))
}
kallsyms 0x400100 >kallsyms
one=0x7fffffff81000100 two=0x7fffffff92000100
for at in $one $two; do
	kallsyms $at >kallsyms.$at
	boot $at | pk-symbolize -q --no-cache --kallsyms=kallsyms.$at >$at.pk
done
try -i $one.pk --kallsyms=kallsyms.$one --vmlinux=root/src/list --context=0
cat $one.pk $two.pk | try --kallsyms=kallsyms.$one --vmlinux=root/src/list --context=0
try -i $one.pk --kallsyms=kallsyms.$one --context=0
try -i $one.pk --kallsyms=kallsyms.$one --vmlinux=missing --context=0
bpf 0x7fffffffc0001000 | pk-symbolize -q --no-cache --kallsyms=kallsyms >bpf.pk
try -i bpf.pk
# It ends behind the last address of all.
bpf -6 8 | pk-symbolize -q --no-cache --kallsyms=kallsyms >bpf.pk
timeout 60 pk-annotate -i bpf.pk
