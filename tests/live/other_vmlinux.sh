# SPDX-License-Identifier: BSD-2-Clause
# A recording of another machine without the build-id of its kernel: --vmlinux is its kernel, and /proc/kallsyms is not.
. "$PK_TOP/tests/live/fold.bash"
. "$PK_TOP/tests/cli/stream.bash"

read -r address name < <(sed -n 's/^\([0-9a-f]*\) T \(schedule\)$/0x\1 \2/p' /proc/kallsyms)
[ "${address:-0x0}" != 0x0000000000000000 ] && [ -n "${name-}" ] || skip "the kernel's addresses are hidden"
{
	header
	event 1 7
	feature HOSTNAME 'hostname="another"'
	feature OSRELEASE 'osrelease="1.2.3"'
	session
	comm 5 5 prog
	echo 'MMAP misc=(kernel) pid=-1 addr=0xffff800000000000 len=0x7ffffffff000 filename="[kernel.kallsyms]_none"'
	sample_of kernel 7 5 "$address" period=1
	finish
} | assemble >other.pk
printf 'no ELF file\n' >vmlinux
for file in vmlinux missing; do
	pk-symbolize -q --no-cache --vmlinux="$file" other.pk | pk-fold -q --weight=samples >folded
	! grep -q "$name" folded || fail "$file: the name is that of this machine's kernel"
done
# That of this machine, given explicitly.
pk-symbolize -q --no-cache --kallsyms=/proc/kallsyms other.pk | pk-fold -q --weight=samples >folded
grep -q "$name" folded || fail "no name: $(cat folded)"
