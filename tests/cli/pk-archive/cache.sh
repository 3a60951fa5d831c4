# SPDX-License-Identifier: BSD-2-Clause
# --install, --remove, --purge and --list --cached: the build-id cache in perf's layout.
. "$PK_TOP/tests/cli/stream.bash"
exec 2>&1
cc=${CC:-cc}
umask 022
mkdir -p rootfs/usr rootfs/opt
echo 'int main(void) { return 0; }' >main.c
id=0102030405060708090a0b0c0d0e0f1011121314
other=2$id
other=${other:0:40}
third=3${id:1}
$cc -o rootfs/usr/a main.c -Wl,--build-id=0x$id && $cc -o rootfs/opt/b main.c -Wl,--build-id=0x$other &&
	$cc -o a2 main.c -Wl,--build-id=0x$third && $cc -o rootfs/none main.c -Wl,--build-id=none || exit 77
home=$PWD
names()
{
	sed "s#$home#HOME#g; s#${home#/}#HOME#g"
}

cache()
{
	echo "$ pk-archive $*" | names
	pk-archive --buildid-dir cache "$@" 2>&1 | names
	echo "status ${PIPESTATUS[0]}"
}

# list OPTION...: what is in the cache, sorted by path as if this folder were HOME
list()
{
	pk-archive "$@" --list --cached 2>&1 | names | LC_ALL=C sort -k2
	[ "${PIPESTATUS[0]}" = 0 ] || echo "--list --cached failed"
}

show()
{
	find cache -printf '%P %y %m %l\n' | sed 's/ l 777/ l/' | names | LC_ALL=C sort
}

{
	header
	event 1 7
	feature HOSTNAME 'hostname="elsewhere"'
	at=0x400000
	for path in /usr/a /opt/b /usr/../../outside /.build-id/01/x /nowhere; do
		maps 5 $at 0x1000 $path
		sample 7 5 $((at + 16))
		at=$((at + 0x10000))
	done
} | assemble >in.pk
cp rootfs/opt/b outside
mkdir -p rootfs/.build-id/01
cp rootfs/opt/b rootfs/.build-id/01/x

echo "== of a recording"
cache --install --symfs rootfs in.pk
show
cmp rootfs/usr/a cache/usr/a/$id/elf
list --buildid-dir cache
echo "== again: what is there stays"
touch -d @1 cache/usr/a/$id/elf
cache --install --symfs rootfs in.pk
stat -c %Y cache/usr/a/$id/elf
echo "== a file that is not whole is replaced, and what it was linked with is not touched"
ln -f rootfs/opt/b linked
truncate -s 5 cache/usr/a/$id/elf
ln -f cache/usr/a/$id/elf short
cache -q --install --symfs rootfs in.pk
cmp rootfs/usr/a cache/usr/a/$id/elf
stat -c %s short
echo "== objects"
cp rootfs/usr/a first
cache --install -v first
cache --install a2 rootfs/none missing
cp a2 first
cache --install first
list --buildid-dir cache
echo "== --remove: an object, a build-id"
cache --remove -v rootfs/usr/a $third
cache --remove rootfs/usr/a 0102 nothing
list --buildid-dir cache
echo "== --purge: all builds of a path"
cp rootfs/usr/a first
cache -q --install first
list --buildid-dir cache
cache --purge -v "$PWD/first" nothing
list --buildid-dir cache
cache --purge
cache --purge --all
show
echo "== links that lead elsewhere"
mkdir -p cache/.build-id/01 folder/$id
touch folder/$id/elf
ln -s ../../../folder/$id cache/.build-id/01/${id:2}
cache --remove $id
cache --purge --all
mkdir -p cache/x cache/.build-id/01
ln -sfn ../../x/../../folder/$id cache/.build-id/01/${id:2}
cache --remove $id
ls folder/$id
rm -r cache
mkdir cache
ln -s "$PWD/folder" cache/usr
cache --install --symfs rootfs in.pk
ls folder
echo "== usage"
cache --remove
cache --install -o out in.pk
cache --list --cached in.pk
pk-archive --remove --buildid-dir nothing $id
HOME='' pk-archive --list --cached
export HOME=$PWD/home
mkdir -p home/.debug
pk-archive --install a2 && list
PERF_BUILDID_DIR=$PWD/of-perf pk-archive --install a2 && list --buildid-dir of-perf
