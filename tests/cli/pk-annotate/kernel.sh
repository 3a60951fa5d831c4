# SPDX-License-Identifier: BSD-2-Clause
# little-endian: what is printed about streams of the other byte order
# Code that is in no file of a process: the kernel's out of its ELF file, which was moved at boot, and differently the next time; a BPF
# program's out of the recording.
. "$PK_TOP/tests/cli/pk-annotate/list.bash"

# The program stands in for the kernel; its symbol add, at 0x400100, is what the map is placed by.
kernel_at()
{ # ADDRESS of what is 0x400100 in the file
	echo "MMAP misc=(kernel) pid=-1 tid=0 addr=$(($1 - 0x100)) len=0x1000 pgoff=$1 filename=\"[kernel.kallsyms]add\""
}
in_kernel()
{ # ADDRESS
	echo "SAMPLE misc=(kernel) ip=$1 pid=5 tid=5 period=100"
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

# struct bpf_prog_info of a program of one function, push %rbp; xor %eax,%eax; leave; ret, and what it points to.
program()
{ # ADDRESS [SIZE]
	local size=${2-5}
	echo 'HEADER_FEATURE feature=(BPF_PROG_INFO)'
	# programs, bytes of the struct and of its arrays, which arrays
	echo "  unknown={4:1 4:128 4:24 8:$((1 << 0 | 1 << 3 | 1 << 4))}"
	# type, id, tag, sizes of the code; then, from 104 on, counts and places of functions and their sizes
	echo "  unknown={4:6 4:1} unknown=\"abcdefgh\" unknown={4:$size 4:0 8:0 8:0}"
	echo "  unknown={8:0 8:0 8:0 8:0 8:0 8:0 8:0 8:0} unknown={4:1 4:1 8:8 8:16}"
	echo "  unknown=5531c0c9c3000000 unknown={8:$1 4:$size 4:0}"
}
bpf()
{ # ADDRESS [SIZE]
	header
	event 1 7
	name 7 cycles
	echo 'HEADER_FEATURE feature=(ARCH) arch="x86_64"'
	program "$@"
	comm 5 5 list
	echo "KSYMBOL addr=$1 len=5 ksym_type=1 name=\"bpf_prog_6162636465666768_prog\""
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
	boot $at | assemble | pk-symbolize -q --no-cache --kallsyms=kallsyms.$at >$at.pk
done
try -i $one.pk --kallsyms=kallsyms.$one --vmlinux=root/src/list --context=0
cat $one.pk $two.pk | try --kallsyms=kallsyms.$one --vmlinux=root/src/list --context=0
try -i $one.pk --kallsyms=kallsyms.$one --context=0
try -i $one.pk --kallsyms=kallsyms.$one --vmlinux=missing --context=0
bpf 0x7fffffffc0001000 | assemble | pk-symbolize -q --no-cache --kallsyms=kallsyms >bpf.pk
try -i bpf.pk
# It ends behind the last address of all.
bpf -6 8 | assemble | pk-symbolize -q --no-cache --kallsyms=kallsyms >bpf.pk
timeout 60 pk-annotate -i bpf.pk
