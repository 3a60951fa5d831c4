# SPDX-License-Identifier: BSD-2-Clause
# timeout: 1800
# The compact tables of call frame information, of files of this machine and of arm64: at all addresses where a row starts or ends,
# a rule leads to the same registers as the row (tests/unit/test_unwind_table.c). The files of arm64 are those of
# libc6-arm64-cross and of the recordings in the corpus.
fail()
{
	printf '%s\n' "$@"
	exit 1
}

# elf_files FOLDER...: ELF files with code, the larger ones first
elf_files()
{
	find "$@" -xdev -type f \( -name '*.so*' -o -perm -100 \) -size +16k -printf '%s %p\n' 2>/dev/null | sort -rn |
		while read -r _ file; do
			[ "$(head -c 4 "$file" | tail -c 3)" != ELF ] || echo "$file"
		done
}

# compare NAME LEAST FILES: of at least so many files
compare()
{
	[ "$(wc -l <"$3")" -ge "$2" ] || fail "$1: only $(wc -l <"$3") files"
	PK_TEST_OBJECTS=$3 "$PK_BUILD/tests/test_unwind_table" >out 2>&1 || fail "$1: $(tail -n 3 out)"
	awk -v name="$1" '/ rows are of other shapes/ { files++; bad += $1; rows += $3 }
		END { printf "%s: %d files, %d rows, %d of other shapes\n", name, files, rows, bad }' out
}

# The libraries of the linker and the dynamic loader first, and then some of each size.
{
	sed -n 's|.* \(/[^ ]*\.so[^ ]*\)$|\1|p' /proc/self/maps
	elf_files /usr/bin /usr/lib/"$(uname -m)"-linux-gnu | awk 'NR % 8 == 1'
} | sort -u >files
compare "$(uname -m)" 20 files

mkdir -p symfs && [ -n "${PK_CORPUS-}" ] && tar -C symfs -xf "$PK_CORPUS/own/arm64-7.2/symfs.tar.xz"
elf_files symfs /usr/aarch64-linux-gnu/lib >files
[ -s files ] || { echo "no files of arm64 here (Debian: libc6-arm64-cross)" >&2; exit 77; }
compare arm64 2 files
