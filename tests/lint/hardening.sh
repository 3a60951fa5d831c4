# SPDX-License-Identifier: BSD-2-Clause
# Programs and libraries are built with hardening: position-independent, read-only relocations, no executable stack,
# checks of the stack and of the sizes of buffers, and on x86 marks for indirect branches.
. "$PK_TOP/tests/lint/files.bash"
case ${PK_BUILD##*/} in
*-san) echo "builds with sanitizers are not hardened" >&2 && exit 77 ;;
esac
[ -x "$PK_BIN/pk-fold" ] || { echo "no programs in ${PK_BUILD##*/}/: run make" >&2 && exit 77; }

# needs FILE WORDS PATTERN: the output of readelf has the pattern
needs()
{
	grep -qE "$3" <<<"$elf" || complain "${1##*/}: $2"
}

for file in "$PK_BIN"/pk* "$PK_BUILD"/libpkstream.so.*; do
	elf=$(readelf -Whld --dyn-syms "$file")
	needs "$file" "not position-independent" 'Type: +DYN'
	needs "$file" "relocations stay writable" GNU_RELRO
	needs "$file" "symbols are looked up while it runs" BIND_NOW
	needs "$file" "an executable stack" 'GNU_STACK .* RW +0x'
	needs "$file" "no checks of the stack" __stack_chk_fail
	case $file in
	*.so.*) ;;
	*) needs "$file" "no checks of the sizes of buffers" '__(snprintf|memcpy|fprintf)_chk' ;;
	esac
	[ "$(uname -m)" != x86_64 ] || objdump -d --no-show-raw-insn "$file" | grep -qm1 endbr64 ||
		complain "${file##*/}: no marks for indirect branches"
done
finish
