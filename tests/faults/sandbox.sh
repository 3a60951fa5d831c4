# SPDX-License-Identifier: BSD-2-Clause
# A program that was taken over by its input can read files and write to its output; all else that
# escape.c tries fails. Every program that reads a stream is in a sandbox, unless --no-sandbox.
set -u -o pipefail
input=$PK_TOP/tests/data/x86_64.pk.zst
bad=0

case $PK_BUILD in
*-san) echo "builds with sanitizers have no sandbox" >&2 && exit 77 ;;
esac

fails()
{
	echo "$*"
	bad=1
}

# tries COMMAND...: what it could do, in the file tried
tries()
{
	rm -rf victim folder new*
	mkdir folder && echo content >victim && echo content >folder/victim
	LD_PRELOAD=$PK_BUILD/tests/faults/escape.so "$@" <"$input" 2>tried >printed
}

cat >expected <<'END'
execve: Operation not permitted
execveat: Operation not permitted
fork: Operation not permitted
clone3: Function not implemented
ptrace: Operation not permitted
process_vm_writev: Operation not permitted
kill: Operation not permitted
tgkill: Operation not permitted
kill itself: succeeded
F_SETOWN: Operation not permitted
F_SETSIG: Operation not permitted
O_ASYNC: Operation not permitted
socket: Operation not permitted
socket of Unix: Operation not permitted
connect: Operation not permitted
bind: Operation not permitted
fchmod: Operation not permitted
fchmod to 0600: Operation not permitted
fchown: Operation not permitted
futimens: Operation not permitted
utimensat: Operation not permitted
fsetxattr: Operation not permitted
open for reading: succeeded
environment of another process: succeeded
open for writing: Operation not permitted
open for reading and writing: Operation not permitted
open and empty: Operation not permitted
create: Operation not permitted
openat2: Function not implemented
mkdir: Operation not permitted
symlink: Operation not permitted
link: Operation not permitted
rename: Operation not permitted
unlink: Operation not permitted
truncate: Operation not permitted
chmod: Operation not permitted
create in folder: Operation not permitted
unlink in folder: Operation not permitted
mount: Operation not permitted
unshare: Operation not permitted
bpf: Operation not permitted
perf_event_open: Operation not permitted
io_uring_setup: Operation not permitted
type into the terminal: Operation not permitted
END

# Programs that analyse: all but those that record, or start other programs.
cat >commands <<'END'
pk-annotate
pk-archive --list
pk-decode
pk-export pprof -o profile
pk-filter
pk-fold
pk-inject
pk-merge-callchains
pk-plot flame
pk-report
pk-script
pk-script --dump
pk-span syscalls
pk-symbolize
pk-symbolize --debuginfod
pk-unwind
END
(cd "$PK_TOP" && printf '%s\n' pk-*/) | tr -d / | grep -vxE 'pk-(record|stat|top)' |
	diff - <(cut -d ' ' -f 1 commands | sort -u) || fails "these programs are not tried"

if ! pk-fold -v "$input" 2>&1 >/dev/null | grep -q "without seccomp"; then
	while read -r command; do
		# shellcheck disable=SC2086 # several words
		tries $command
		grep -a '^[a-zA-Z].*: \(succeeded\|Operation not permitted\|Function not implemented\)$' tried |
			grep -v '^pk-' | diff expected - || fails "$command"
		[ "$(cat victim folder/victim)" = "$(printf 'content\ncontent\n')" ] || fails "$command: changed files"
	done <commands
else
	echo "this kernel has no seccomp filters: not tried" >&2
	exit 77
fi

# Without a sandbox, the calls reach the kernel.
tries pk-fold --no-sandbox
grep -qx 'execve: No such file or directory' tried && grep -qx 'create: succeeded' tried || fails "--no-sandbox"
[ ! -e victim ] || fails "--no-sandbox: the file was not removed"

# They need no rights: an ordinary user without capabilities gets the same from a recording of root.
content() # FILE: without the time when it was written
{
	if [ "$(head -c 8 "$1" | tr -d '\0')" = PERFILE2 ]; then pk-filter -q --strip-extensions "$1"; else cat "$1"; fi
}
as_user=(setpriv --reuid 12345 --clear-groups --bounding-set=-all --inh-caps=-all)
if [ "$(id -u)" = 0 ] && "${as_user[@]}" "$PK_BIN/pk-fold" --version >/dev/null 2>&1; then
	chmod 755 .
	while read -r command; do
		case $command in *' -o '*) continue ;; esac
		# shellcheck disable=SC2086 # several words
		$command -q <"$input" >of_root 2>err
		expected="$? $(cat err)"
		# shellcheck disable=SC2086
		"${as_user[@]}" env HOME=/ $command -q <"$input" >of_user 2>err
		[ "$? $(cat err)" = "$expected" ] || fails "$command: as an ordinary user: $(cat err)"
		cmp -s <(content of_root) <(content of_user) || fails "$command: an ordinary user gets something else"
	done <commands
else
	echo "no other user can run the programs of this folder: ordinary users are not tried" >&2
fi

# Programs that create files may do that in their folder only.
tries pk-filter --split-by pid -o 'folder/out-%v.pk'
set -- folder/out-*.pk
[ -s "$1" ] || fails "no output in the folder: $(cat tried)"
landlock=1
if pk-filter -v --split-by pid -o 'folder/all-%v.pk' "$input" 2>&1 | grep -q "without Landlock"; then
	echo "this kernel has no Landlock: folders are not tried" >&2
	landlock=
else
	for line in 'create in folder: succeeded' 'unlink in folder: succeeded' 'create: Permission denied' \
		'unlink: Permission denied' 'open for writing: Permission denied' 'execve: Operation not permitted' \
		'socket: Operation not permitted' 'rename: Permission denied' 'fchmod: Operation not permitted' \
		'fchmod to 0600: Operation not permitted' \
		'fchown: Operation not permitted' 'utimensat: Operation not permitted' 'F_SETOWN: Operation not permitted' \
		'O_ASYNC: Operation not permitted'; do
		grep -qx "$line" tried || fails "with a folder, not: $line; but: $(cat tried)"
	done
fi

# The helper of --debuginfod has sockets instead; it can write to its cache only, and read nothing of the user. Its files have
# a limit of 1 GiB.
export DEBUGINFOD_CACHE_PATH=$PWD/cache
helper_tries() # LINE...: those that it must print
{
	rm -rf cache victim folder new*
	mkdir folder && echo content >victim && echo content >folder/victim
	# The helper ends with the program, whose input ends when the helper has printed its last line.
	{
		cat "$input"
		for ((i = 0; i < 1000; i++)); do
			! grep -qs '^largest file' cache/tried || break
			sleep 0.02
		done
	} | ESCAPE_DESCRIPTOR=3 LD_PRELOAD=$PK_BUILD/tests/faults/escape.so pk-symbolize --debuginfod >printed 2>tried
	for line in 'socket: succeeded' 'execve: Operation not permitted' 'ptrace: Operation not permitted' \
		'kill: Operation not permitted' 'F_SETOWN: Operation not permitted' 'fchmod: Operation not permitted' \
		'fchmod to 0600: Operation not permitted' 'mount: Operation not permitted' \
		'type into the terminal: Operation not permitted' 'largest file: 1073741824' "$@"; do
		grep -qx "$line" cache/tried || fails "helper of --debuginfod, not: $line; but: $(cat cache/tried)"
	done
}
denied=()
for what in 'open for reading' 'environment of another process' 'open for writing' 'create' 'unlink' 'rename'; do
	denied+=("$what: Permission denied")
done
[ -n "$landlock" ] || denied=()
helper_tries "${denied[@]}"

# Without Landlock, files are not limited where they are created, and all else is.
export ESCAPE_WITHOUT_LANDLOCK=1
tries pk-filter -v --split-by pid -o 'folder/out-%v.pk'
for line in '.*sandbox without Landlock: .*' 'create: succeeded' 'create in folder: succeeded' 'unlink in folder: succeeded' 'rename: succeeded' \
	'open for reading: succeeded' 'execve: Operation not permitted' 'fchmod: Operation not permitted'; do
	grep -qx "$line" tried || fails "without Landlock, not: $line; but: $(cat tried)"
done
helper_tries 'open for reading: succeeded' 'create: succeeded' 'rename: succeeded'
exit $bad
