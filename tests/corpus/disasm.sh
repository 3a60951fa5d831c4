#!/bin/bash
# long
# SPDX-License-Identifier: BSD-2-Clause
# timeout: 900
# Every instruction of large programs beside objdump's: its address, its length, where it jumps; and
# of the recordings' own files of other machines, where their objdump is installed.
set -u
program=$PK_BUILD/tests/test_disasm_objdump
compared=0
lacking=

# compare OBJDUMP FILE...
compare()
{
	local objdump=$1
	shift
	PK_DISASM_OBJDUMP=$objdump PK_DISASM_FILES="$*" "$program" || exit 1
	compared=$((compared + $#))
}

command -v objdump >/dev/null || {
	echo "no objdump (Debian: binutils)" >&2
	exit 77
}
if [ "$(uname -m)" = x86_64 ]; then
	lib=/usr/lib/x86_64-linux-gnu
	# The first that is there, with PK_ALL=1 the first three. It has AVX-512 as most others do.
	large=''
	most=1
	[ -z "${PK_ALL-}" ] || most=3
	for f in $lib/libcrypto.so.3 "$(gcc -print-prog-name=cc1 2>/dev/null)" $lib/libx265.so.199 \
		$lib/libLLVM-14.so.1 /usr/bin/gdb $lib/libpython3.11.so.1.0 /usr/bin/node; do
		# shellcheck disable=SC2086 # words on purpose
		set -- $large
		[ $# -lt $most ] || break
		if [ -f "$f" ]; then large="$large $f"; else lacking="$lacking $f"; fi
	done
	# shellcheck disable=SC2086
	compare objdump $large
fi
for machine in arm64-7.2:aarch64-linux-gnu s390x-7.2:s390x-linux-gnu; do
	archive=$PK_CORPUS/own/${machine%%:*}/symfs.tar.xz
	objdump=${machine##*:}-objdump
	if ! command -v "$objdump" >/dev/null; then
		lacking="$lacking $objdump"
		continue
	fi
	mkdir "${machine%%:*}"
	tar -C "${machine%%:*}" -xf "$archive" || exit 1
	# shellcheck disable=SC2046
	compare "$objdump" $(find "${machine%%:*}" -name 'lib*.so*' -type f -size +100k) \
		$(find "${machine%%:*}" -name 'work*' -type f -size +100k)
done
[ -z "$lacking" ] || echo "not compared, since not here:$lacking"
[ $compared -gt 0 ] || {
	echo "none of the files is here:$lacking" >&2
	exit 77
}
