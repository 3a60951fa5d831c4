# SPDX-License-Identifier: BSD-2-Clause
# Objects of another user are used, also by root, wherever they are found; those of another build never. A recorded path
# with ".." is not searched.
without_recording=1
. "$PK_TOP/tests/live/fold.bash"
. "$PK_TOP/tests/cli/stream.bash"

[ "$(id -u)" = 0 ] || skip "only root can give files away"
for tool in objcopy strip readelf; do
	type $tool >/dev/null 2>&1 || skip "no $tool (Debian: binutils)"
done
id=1111111111111111222222222222222233333333
mkdir foreign
compile inlines.c foreign/prog -g "-Wl,--build-id=0x$id" || fail "$(cat compile.err)"
compile inlines.c other "-Wl,--build-id=0x${id/1/2}" || fail "$(cat compile.err)"
strip -o stripped foreign/prog && objcopy --only-keep-debug foreign/prog foreign/debug || fail "no debug file"
read -r address size < <(readelf -sW foreign/prog | awk '$8 == "hash" { print "0x" $2, $3 }')
[ "${size:-0}" -gt 4 ] || fail "no function hash"
# The offset in the file, and what is mapped from there: the first segment with code.
read -r offset start < <(readelf -lW foreign/prog | awk '$1 == "LOAD" && / R E / { print $2, $3 }')
ip=$((0x7f0000000000 + address - start + offset + 4))

# place NAME [FILE]: puts the file there, for another user, who owns the folders too
place()
{
	mkdir -p "$(dirname "$1")"
	cp "${2-foreign/prog}" "$1"
	chown -R 12345:12345 "${1%%/*}"
}

# named RECORDED [OPTION...]: the function's name if the object was mapped from that path
named()
{
	{
		header
		event 1 7
		feature HOSTNAME "hostname=\"$(uname -n)\""
		feature OSRELEASE "osrelease=\"$(uname -r)\""
		feature ARCH "arch=\"$(uname -m)\""
		session
		build_id user "$1"
		comm 5 5 prog
		maps_as 5 5 0x7f0000000000 0x100000 "$1"
		sample 7 5 $ip
		finish
	} | assemble >recording.pk
	pk-symbolize -q "${@:2}" recording.pk 2>err | pk-fold -q
}

there=$PWD/there/prog cache=.build-id/${id:0:2}/${id:2}
shows_name()
{
	[ "$(named "${@:2}")" = 'prog;hash 1000' ] || fail "$1: not named: $(named "${@:2}") $(cat err)"
}
place there/prog
shows_name 'at the recorded path' "$there"
place there/prog other
[ "$(named "$there")" = 'prog;[prog] 1000' ] || fail "another build is used: $(named "$there")"
rm -r there
place root/usr/prog
shows_name '--symfs' /usr/prog --symfs=root
[ "$(named /../root/usr/prog --symfs=root)" = 'prog;[prog] 1000' ] || fail "a path leaves --symfs"
place "cache/$cache/elf"
shows_name '--buildid-dir' "$there" --buildid-dir=cache
place ".debug/$cache/elf"
HOME=$PWD shows_name 'the usual cache' "$there"
rm -r .debug
place there/prog stripped
[ "$(named "$there")" = 'prog;[prog] 1000' ] || fail "the stripped program has names"
place "debug/.build-id/${id:0:2}/${id:2}.debug" foreign/debug
shows_name '--debug-dir' "$there" --debug-dir="$PWD/debug"
exit 0
