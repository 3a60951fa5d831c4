# SPDX-License-Identifier: BSD-2-Clause
# The rules of .sframe equal those of .eh_frame in an object of the size of a C library: all libraries of pk, assembled
# with --gsframe. Needs binutils that write version 2 or 3: those of the system, or `as` and `ld` in the folder PK_BINUTILS.
without_recording=yes
. "$PK_TOP/tests/live/record.bash"
command -v gcc >/dev/null || skip "no gcc"
case $(uname -m) in
x86_64 | aarch64) ;;
*) skip "SFrame has no rules for $(uname -m)" ;;
esac
mkdir tools objects
tools=${PK_BINUTILS:-$(dirname "$(command -v as)")}
for tool in as ld; do
	[ -x "$tools/$tool" ] || skip "no $tools/$tool"
done
printf '#!/bin/sh\nexec %s/as --gsframe "$@"\n' "$tools" >tools/as
printf '#!/bin/sh\nexec %s/ld "$@"\n' "$tools" >tools/ld
chmod +x tools/as tools/ld

echo 'int f(void) { return 1; }' >one.c
gcc -B"$PWD/tools/" -O2 -shared -o one.so one.c 2>err || skip "the assembler has no --gsframe"
version=$(objcopy -O binary --only-section=.sframe one.so /dev/stdout 2>err | od -An -tu1 -j2 -N1 | tr -d ' ')
[ "${version:-1}" -gt 1 ] || skip "this assembler writes version ${version:-none} of .sframe"

includes=()
for folder in "$PK_TOP"/lib/* "$PK_TOP/libpkstream"; do includes+=("-I$folder"); done
printf '%s\n' "$PK_TOP"/lib/*/*.c "$PK_TOP"/libpkstream/*.c | grep -v /lib/second/ | xargs -P 2 -I{} sh -c '
	gcc -B"$PWD/tools/" -O2 -fPIC -w -D_GNU_SOURCE "$@" -c -o "objects/$(echo {} | tr / _).o" {} 2>>err || echo {}' sh "${includes[@]}" >failed
[ ! -s failed ] || fail "not compiled: $(cat failed err | head)"
gcc -B"$PWD/tools/" -shared -o libraries.so objects/*.o 2>err || fail "$(cat err)"
"$PK_BUILD/tests/test_sframe_rows" "$PWD/libraries.so" >out || fail "$(cat out)"
grep -q 'libraries.so: version [23], [0-9]* functions' out || fail "$(cat out)"
exit 0
