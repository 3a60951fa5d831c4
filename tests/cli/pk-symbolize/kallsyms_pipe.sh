# SPDX-License-Identifier: BSD-2-Clause
# --kallsyms reads a list of the kernel's symbols from a pipe, too. A device is refused.
. "$PK_TOP/tests/cli/stream.bash"
{
	header
	event_of 7 CALLCHAIN
	comm 5 5 app
	sample_of kernel 7 5 0xffffffff81001010 "ips[0]=(kernel) ips[1]=0xffffffff81001010"
} | assemble >in.pk
for i in $(seq 9000); do
	printf 'ffffffff%08x T function_%d\n' $((0x80ff0000 + 16 * i)) $i
done >list
kallsyms()
{
	pk-symbolize -q --kallsyms "$@" in.pk | pk-script -F ip,sym
}
kallsyms list
kallsyms <(cat list)
cat list | kallsyms /dev/stdin
kallsyms /dev/null
