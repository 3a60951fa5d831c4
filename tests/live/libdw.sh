# SPDX-License-Identifier: BSD-2-Clause
# Debugging information beside libdw: functions, what is inlined into them, lines, and every row of call
# frame information, of our own programs, of others made for it, and of the C library.
fail()
{
	printf '%s\n' "$@"
	exit 1
}
[ -e /usr/include/elfutils/libdw.h ] || {
	echo "no libdw-dev" >&2
	exit 77
}
${CC:-cc} -std=gnu11 -D_GNU_SOURCE -O1 ${PK_SAN:+-fsanitize="$PK_SAN"} -iquote "$PK_TOP/libpkstream" \
	-iquote "$PK_TOP/lib/base" -iquote "$PK_TOP/lib/symbol" -iquote "$PK_TOP/lib/dwarf" -o answers \
	"$PK_TOP/tests/live/workload/libdw_answers.c" "$PK_BUILD/libpkdwarf.a" "$PK_BUILD/libpksymbol.a" \
	"$PK_BUILD/libpkstream.a" -ldw -lelf -ldeflate -llzma -lzstd -l:libiberty.a -lm 2>compile.err ||
	fail "$(cat compile.err)"
export ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0 # libdw keeps what it has read

# like_libdw ADDRESSES INLINED ROWS [names] FILE: so many at least are compared, and none differs
like_libdw()
{
	local addresses=$1 inlines=$2 rows=$3 got
	shift 3
	./answers "$@" >out 2>err || fail "$*: $(cat err)"
	got=$(sed -n 's/^FUNCTIONS \([0-9]*\) addresses, \([0-9]*\) inlined, 0 different$/\1 \2/p' out)
	[ "${got% *}" -ge "$addresses" ] 2>/dev/null && [ "${got#* }" -ge "$inlines" ] || [ "$addresses" = 0 ] ||
		fail "$*: $(grep '^FUNCTIONS' out)" "$(head -n 30 out)"
	got=$(sed -n 's/^ROWS \([0-9]*\), 0 different$/\1/p' out)
	[ "${got:-0}" -ge "$rows" ] || fail "$*: $(grep '^ROWS' out)" "$(grep -v "^FUNC" out | head -n 30)"
}

build()
{
	local source=$1 program=$2 compiler=${CC:-cc}
	shift 2
	[ "${source##*.}" = c ] || compiler=${CXX:-g++}
	$compiler -O2 -g -o "$program" "$PK_TOP/tests/live/workload/$source" "$@" 2>compile.err
}
for version in 3 4 5; do
	build inlines.c inlines-$version -gdwarf-$version || fail "$(cat compile.err)"
	like_libdw 500 300 15 names "$PWD/inlines-$version"
done
build unwinding.c frame-pointers -fno-omit-frame-pointer || fail "$(cat compile.err)"
like_libdw 500 0 15 names "$PWD/frame-pointers"
! build inlines.cc cxx || like_libdw 500 1000 50 "$PWD/cxx"
# What make itself has built, if with debugging information.
for tool in pk-script pk-symbolize; do
	readelf -SW "$PK_BIN/$tool" 2>/dev/null | grep -q debug_info || continue
	[ -n "$PK_SAN" ] || like_libdw 3000 3000 1000 names "$PK_BIN/$tool"
done
libc=$(sed -n 's|.* \(/[^ ]*/libc\.so\.6\)$|\1|p' /proc/self/maps | head -n 1)
if [ -n "$libc" ]; then
	like_libdw 0 0 5000 "$libc"
fi
