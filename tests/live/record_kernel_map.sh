# SPDX-License-Identifier: BSD-2-Clause
# The address range of the kernel in a stream: from /proc/kallsyms and /proc/iomem, which are replaced here.
. "$PK_TOP/tests/live/record.bash"

unshare --mount sh -c 'mount --bind /dev/null /proc/iomem && mount --bind /dev/null /proc/kallsyms' 2>/dev/null ||
	skip "no files can be mounted below /proc here"

printf '%s\n' '00001000-0009fbff : System RAM' '00100000-bfffffff : System RAM' '  01000000-0220bb07 : Kernel code' \
	'  02400000-02e09fff : Kernel rodata' '  03000000-0327c13f : Kernel data' >moved
sed 's/[0-9a-f]*-[0-9a-f]* : /00000000-00000000 : /' moved >zeros
sed 's/01000000-/01010000-/' moved >later # as where the code starts at _stext, behind _text
grep -v 'Kernel data' moved >short

printf '%s\n' '0000000000000000 A fixed_percpu_data' 'ffffffff9a000000 T _stext' 'ffffffff9a000000 T _text' \
	'ffffffff9a000010 T _stext_of_another' 'ffffffff9b20bb08 T _etext' 'ffffffff9c27c000 D _edata' >symbols
grep -v _edata symbols >code
grep -v ' _text' symbols >old
sed 's/^[0-9a-f]*/0000000000000000/' symbols >hidden

# range IOMEM KALLSYMS: prints the start, the size and the name of the kernel.
range()
{
	unshare --mount sh -c 'mount --bind "$1" /proc/iomem && mount --bind "$2" /proc/kallsyms &&
		exec pk-record -e cpu-clock -o out.pk -- true' sh "$1" "$2" 2>err || fail "$1, $2: $(cat err)"
	check out.pk
	pk-script -q --dump out.pk | awk '/ MMAP2 / { kernel = /\(kernel\)/ } kernel && /^  (addr|len)=/ { r = r " " substr($1, index($1, "=") + 1) }
		kernel && /filename="\[kernel/ { print r, substr($1, index($1, "=") + 1) }' | sed 's/^ //'
}

# expect_range IOMEM KALLSYMS RANGE
expect_range()
{
	local got
	got=$(range "$1" "$2") || fail "$got"
	[ "$got" = "$3" ] || fail "$1, $2: '$got', not '$3'"
}

text='"[kernel.kallsyms]_text"' stext='"[kernel.kallsyms]_stext"'
expect_range moved symbols "0xffffffff9a000000 0x227c140 $text"
expect_range moved code "0xffffffff9a000000 0x227c140 $text"
for iomem in zeros later short /dev/null; do
	expect_range $iomem symbols "0xffffffff9a000000 0x227c000 $text"
	expect_range $iomem code "0xffffffff9a000000 0x120bb08 $text"
done
expect_range moved old "0xffffffff9a000000 0x227c000 $stext"
for iomem in moved zeros; do
	expect_range $iomem hidden ''
	expect_range $iomem /dev/null ''
done

# Most of the symbols are not read, except for the names of BPF programs that others have loaded.
if command -v strace >/dev/null && kernel_has_names && grep -q '[1-9a-f].* : Kernel data' /proc/iomem; then
	strace -o trace -e trace=openat,read,close pk-record -q -e cpu-clock -o out.pk -- true 2>err ||
		skip "strace cannot be used here"
	reads=$(awk '/^openat.*"\/proc\/kallsyms"/ { on = 1; n = 0 } /^read/ && on { n++ }
		/^close/ && on { on = 0; if (!least || n < least) least = n } END { print least + 0 }' trace)
	[ "$reads" -gt 0 ] || fail "/proc/kallsyms was not read"
	case $(uname -m) in x86_64) [ "$reads" -lt 100 ] || fail "/proc/kallsyms was read $reads times" ;; esac
fi
exit 0
