# SPDX-License-Identifier: BSD-2-Clause
# A perf map or jitdump is believed if its owner is root, the user who reads it, or the process's user while the
# process lives. A link of another user is not followed. One line says what was not believed, and why.
without_recording=1
. "$PK_TOP/tests/live/fold.bash"
. "$PK_TOP/tests/cli/stream.bash"

[ "$(id -u)" = 0 ] || skip "only root can give files away"
as_user() { setpriv --reuid "$1" --clear-groups "${@:2}"; }
as_user 12345 true 2>/dev/null || skip "no other users here: setpriv"
as_user 12345 env PATH="$PATH" pk-fold --version >/dev/null 2>&1 || skip "other users cannot run the programs of this folder"

# recording PID...: of this machine, with samples in code that has no file
recording()
{
	header
	event 1 7
	feature HOSTNAME "hostname=\"$(uname -n)\""
	feature OSRELEASE "osrelease=\"$(uname -r)\""
	feature ARCH "arch=\"$(uname -m)\""
	session
	for one in "$@"; do
		comm "$one" "$one" prog
		maps_as 5 "$one" 0x1000 0x1000 //anon
		maps_as 5 "$one" 0x7f0000 0x1000 "$PWD/jit-1.dump"
		sample 7 "$one" 0x1010 1 1
	done
	finish
}

# named PROGRAM READER: what it says, and the names
named()
{
	as_user "$2" env PATH="$PATH" $1 all.pk 2>err >out.pk
	grep -F 'is not used' err | sed "s/^[^:]*: //; s#$PWD#DIR#g; s/$dead/DEAD/g; s/$second/SECOND/g; s/$living/LIVING/g"
	pk-symbolize -q --symfs nowhere out.pk 2>/dev/null | pk-fold -q | sed "s/perf-[0-9]*/perf-PID/"
}

# try WHAT READER PID...
try()
{
	echo "$1"
	recording "${@:3}" | assemble >all.pk
	named pk-symbolize "$2" | tee symbolized
	named 'pk-inject --jit' "$2" | diff symbolized -
}
sleep 0 &
dead=$!
sleep 0 &
second=$!
wait
setpriv --reuid 12345 --clear-groups sleep 1000 &
living=$!
maps=("/tmp/perf-$dead.map" "/tmp/perf-$second.map" "/tmp/perf-$living.map")
trap 'kill $living; rm -f "${maps[@]}"' EXIT
mkdir nowhere
chmod 755 .
chmod 755 nowhere
for map in "${maps[@]}"; do
	rm -f "$map"
	echo '1000 100 jitted' >"$map"
done
while ! grep -q '^Uid:.12345.12345' /proc/$living/status; do sleep 0.02; done
# Root without CAP_SYS_PTRACE cannot look there.
root=/proc/LIVING/root
[ -e /proc/$living/root/tmp ] || root=
owned() { chown -h "$1" "${maps[@]}"; }
{
	owned 0
	try 'by root' 0 $dead $living
	owned 12345
	try 'by a user' 0 $dead $living
	try 'by the user who reads' 12345 $dead $living
	owned 23456
	try 'by another user' 0 $living
	try 'by another user, two of them' 0 $dead $second
	echo '1000 100 secret' >secret
	chmod 600 secret
	for map in "${maps[@]}"; do ln -sf "$PWD/secret" "$map"; done
	try 'a link of root' 0 $dead
	owned 12345
	try 'a link of a user' 0 $dead
	try 'a link of a user to what root alone may read' 0 $living
	chown 12345 secret
	try 'a link of a user to a file of his' 0 $living
	rm "${maps[@]}"
	cp "$PK_TOP/fuzz/corpus/jitdump/little" jit-1.dump
	try 'a jitdump of root' 0 $dead
	chown 12345 jit-1.dump
	try 'a jitdump of a user' 0 $dead
	try 'a jitdump of a user whose process lives' 0 $living
} >found 2>&1
cat >expected <<END
by root
prog;jitted 2
by a user
/tmp/perf-DEAD.map is not used: it belongs to user 12345, and process DEAD has ended
prog;[perf-PID.map] 1
prog;jitted 1
by the user who reads
prog;jitted 2
by another user
$root/tmp/perf-LIVING.map is not used: it belongs to user 23456, and process LIVING runs as user 12345
prog;[perf-PID.map] 1
by another user, two of them
/tmp/perf-DEAD.map is not used: it belongs to user 23456, and process DEAD has ended; 1 other file likewise
prog;[perf-PID.map] 1
prog;[perf-PID.map] 1
a link of root
prog;secret 1
a link of a user
/tmp/perf-DEAD.map is not used: a symbolic link to it belongs to user 12345, and process DEAD has ended
prog;[perf-PID.map] 1
a link of a user to what root alone may read
$root/tmp/perf-LIVING.map is not used: it belongs to user 0, and a symbolic link of user 12345 leads to it
prog;[perf-PID.map] 1
a link of a user to a file of his
prog;secret 1
a jitdump of root
prog;third 1
a jitdump of a user
DIR/jit-1.dump is not used: it belongs to user 12345, and process DEAD has ended
prog;[perf-PID.map] 1
a jitdump of a user whose process lives
prog;third 1
END
diff expected found || fail "not as expected"
exit 0
