# SPDX-License-Identifier: BSD-2-Clause
# The layout of an archive, of objects below a folder: by build-id, without times and owners; paths that are
# long, and paths that lead out of the folder.
cc=${CC:-cc}
long=$(printf 'd%.0s' $(seq 60))
mkdir -p "rootfs/$long/$long" rootfs/usr
echo 'int main(void) { return 0; }' >main.c
$cc -g -o rootfs/usr/a main.c -Wl,--build-id=0x0102030405060708090a0b0c0d0e0f1011121314 &&
	$cc -o "rootfs/$long/$long/b" main.c -Wl,--build-id=0x1102030405060708090a0b0c0d0e0f1011121314 &&
	$cc -o rootfs/c main.c -Wl,--build-id=none || exit 77
cp rootfs/usr/a outside

# A stream with a map and a sample of each.
at=0x400000
{
	echo 'BEGIN'
	echo 'HEADER_ATTR attr_type=1 sample_period=1 sample_type=(IP TID) id=1'
	echo 'HEADER_FEATURE feature=(HOSTNAME) hostname="elsewhere"'
	for path in /usr/a "/$long/$long/b" /c "/usr/../../outside" /nowhere; do
		echo "MMAP misc=(user) pid=100 tid=100 addr=$at len=0x1000 filename=\"$path\""
		echo "SAMPLE misc=(user) ip=$((at + 16)) pid=100 tid=100"
		at=$((at + 0x10000))
	done
} | "$PK_BUILD/tests/assemble/assemble" >in.pk
pk-archive --symfs rootfs in.pk 2>err >out.tar
echo "status $?"
sed "s/$long/LONG/g" err
tar -tvf out.tar | sed -E "s/$long/LONG/g; s/  *[0-9]+ 1970/ SIZE 1970/"
tar -xOf out.tar usr/a/0102030405060708090a0b0c0d0e0f1011121314/elf | cmp - rootfs/usr/a
pk-archive -q -z --symfs rootfs in.pk | zstd -dqc | cmp - out.tar
