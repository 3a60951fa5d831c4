# SPDX-License-Identifier: BSD-2-Clause
# The executable of a living process was deleted or replaced, or is in memory only: its names come from
# /proc/PID/exe or /proc/PID/map_files. After the process, another file at its path is not taken for it.
. "$PK_TOP/tests/live/fold.bash"

compile forever.c with_id || fail "$(cat compile.err)"
compile forever.c without_id -Wl,--build-id=none || fail "$(cat compile.err)"
cat >other.c <<'C'
void other(void) { for (volatile int i = 0; i < 9; i++) ; }
int main(void) { other(); }
C
${CC:-cc} -O0 -Wl,--build-id=none -o other other.c || fail "other.c"
# The next copy has the inode of the last deleted file otherwise.
cp other kept

# try PROGRAM WHAT [ARGUMENT]
try()
{
	local pid
	rm -f p && cp "$1" p || fail "cp $1"
	mkfifo out
	exec 3<>out
	./p ${3:-} >out &
	pid=$!
	read -r -t 20 _ <&3 || fail "$1, $2: did not start"
	exec 3<&-
	rm out
	eval "$2" || fail "$2"
	pk-record -q -F 999 -e $event -g --for 0.4s -p $pid -o out.pk 2>err || fail "$1, $2: pk-record: $(cat err)"
	fold out.pk
	shows '(p|memfd:copy)' spin 5
	pk-inject -q out.pk >injected.pk 2>err || fail "$1, $2: pk-inject: $(cat err)"
	pk-archive -q -o objects.tar out.pk 2>err || [ "$1" = without_id ] || fail "$1, $2: pk-archive: $(cat err)"
	kill $pid
	wait $pid 2>/dev/null
	fold out.pk
	shows '(p|memfd:copy)' "\[(p|memfd:copy)\]" 5
	shows_not ';(spin|other)(;| )'
	fold injected.pk
	shows '(p|memfd:copy)' spin 5
	[ "$1" = without_id ] || tar tf objects.tar | grep -Eq "/(elf|p)$" || fail "$1, $2: objects: $(tar tf objects.tar)"
}

for program in with_id without_id; do
	try $program 'rm p'
	pk-symbolize -o /dev/null out.pk 2>err
	grep -q '/p.* is gone: it was deleted, replaced or in a container, and its process has ended' err ||
		fail "no reason: $(cat err)"
	try $program 'cp other q && mv q p'
	try $program : memfd
done
exit 0
