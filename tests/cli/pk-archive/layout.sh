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

# A stream with a map and a sample of each; numbers are little-endian.

perl -e '
	sub rec { my ($type, $misc, $body) = @_; pack("L S S", $type, $misc, 8 + length $body) . $body }
	sub str8 { my $s = shift() . "\0"; $s . "\0" x (-length($s) % 8) }
	my $attr = pack("L L Q Q Q Q Q", 1, 64, 0, 1, 3, 0, 0) . "\0" x 16;
	print pack("Q Q", 0x32454c4946524550, 16), rec(64, 0, substr($attr, 0, 64) . pack("Q", 1));
	print rec(80, 0, pack("Q L", 3, 64) . "elsewhere" . "\0" x 59);
	my $at = 0x400000;
	for my $path (@ARGV) {
		print rec(1, 2, pack("L L Q Q Q", 100, 100, $at, 0x1000, 0) . str8($path));
		print rec(9, 2, pack("Q L L", $at + 16, 100, 100));
		$at += 0x10000;
	}' /usr/a "/$long/$long/b" /c "/usr/../../outside" /nowhere >in.pk
pk-archive --symfs rootfs in.pk 2>err >out.tar
echo "status $?"
sed "s/$long/LONG/g" err
tar -tvf out.tar | sed -E "s/$long/LONG/g; s/  *[0-9]+ 1970/ SIZE 1970/"
tar -xOf out.tar usr/a/0102030405060708090a0b0c0d0e0f1011121314/elf | cmp - rootfs/usr/a
pk-archive -q -z --symfs rootfs in.pk | zstd -dqc | cmp - out.tar
