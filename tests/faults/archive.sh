# SPDX-License-Identifier: BSD-2-Clause
# An object that becomes shorter between being found and being read is reported with the place, and left out with the links
# to it; the others are archived.
set -u
. "$PK_TOP/tests/cli/stream.bash"
fail()
{
	echo "$*"
	exit 1
}
mkdir -p fs/x
cp "$PK_TOP/fuzz/corpus/elf/cxx.so" "$PK_TOP/fuzz/corpus/elf/i386.so" fs/x
{
	header
	event 1 7
	comm 5 5 program
	maps 5 0x100000 0x10000 /x/cxx.so
	maps 5 0x200000 0x10000 /x/i386.so
	sample 7 5 0x1002e0
	sample 7 5 0x2002a6
} | assemble >stream.pk
mkfifo pipe
pk-archive --all --symfs=fs --kallsyms=/dev/null -o out.tar pipe 2>err &
archive=$!
exec 3>pipe
cat stream.pk >&3
# Both are open: found. The stream still goes on.
for ((i = 0; i < 100000; i++)); do
	opened=$(readlink /proc/$archive/fd/* 2>/dev/null | grep -c '/fs/x/')
	[ "$opened" != 2 ] || break
done
[ "$opened" = 2 ] || fail "pk-archive has not opened the objects: $(cat err)"
truncate -s 1000 fs/x/cxx.so
exec 3>&-
wait $archive
status=$?
[ $status = 1 ] || fail "status $status, not 1"
grep -q 'fs/x/cxx.so: offset 1000: became shorter while it was read; skipped' err || fail "$(cat err)"
tar -tf out.tar >list || fail "the archive is not whole"
grep -q cxx list && fail "cxx.so is in the archive: $(cat list)"
[ "$(grep -c '^x/i386.so/.*/elf$' list)" = 1 ] || fail "i386.so is not in the archive: $(cat list)"
[ "$(grep -c '^\.build-id/' list)" = 2 ] || fail "links: $(cat list)"
exit 0
