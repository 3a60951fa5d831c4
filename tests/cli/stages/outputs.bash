# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Sourced by scripts that test how programs open and write their output. The caller sets $tool and $context, and defines
#   reads FILE               sets the array args: what makes $tool read FILE, and write data
#   same_content FILE FILE   whether two outputs say the same
# Everything below is true of all programs.
tool='' args=()

complain()
{
	echo "$tool: $*"
}

# ends STATUS TEXT COMMAND...: the command must end with this status and a message that contains TEXT. Its stdout is
# descriptor 3 of the caller; its stderr is a pipe, which no limit and no full disk concerns.
exec 3>/dev/null
ends()
{
	local want=$1 text=$2 status
	shift 2
	{
		"$@" 2>&1 >&3 3>&-
		echo $? >"$TMPDIR/status"
	} | tail -n 20 >"$TMPDIR/messages"
	status=$(cat "$TMPDIR/status")
	[ "$status" = "$want" ] || complain "$context: status $status, not $want: $(cat "$TMPDIR/messages")"
	grep -q -e "$text" "$TMPDIR/messages" || complain "$context: does not say '$text': $(cat "$TMPDIR/messages")"
}

without_stdout()
(
	exec "$@" >&-
)

without_stdin()
(
	exec "$@" <&-
)

# What -o makes is its owner's, however the umask is and whatever was there.
private()
{
	local mode
	reads "$1"
	for mode in none 644 666; do
		rm -f out
		[ $mode = none ] || (truncate -s 100M out && chmod $mode out)
		(umask 0 && "$tool" -o out "${args[@]}" 2>err) || complain "-o, mode $mode: status $?: $(cat err)"
		[ "$(stat -c %a out)" = 600 ] || complain "-o: a file of mode $mode becomes one of mode $(stat -c %a out)"
		[ -s out ] || complain "-o: nothing was written"
		[ "$(stat -c %s out)" -lt 100000000 ] || complain "-o: the old content is still there"
	done
	# Where a descriptor has a name, it is what the shell opened. perf.data files are not written to pipes.
	if [ "${args[0]}" = perf.data ]; then
		"$tool" -o /dev/stdout "${args[@]}" >out 2>err
	else
		"$tool" -o /dev/stdout "${args[@]}" 2>err | cat >out
	fi
	[ -s out ] || complain "-o /dev/stdout: $(cat err)"
}

# An input is never written to, whatever its name, and the same is true of stdin and stdout. One that
# reads stdin says so with a second argument.
input_stays()
{
	local name before
	cp "$1" in
	chmod 755 in
	ln -f in hard
	ln -sf in soft
	mkdir -p folder
	ln -sf ../soft folder/soft
	before=$(stat -c '%i %a %s %Y' in)
	reads ./in
	for name in in hard folder/soft; do
		context="-o $name"
		ends 2 'the same file as the input' "$tool" -o $name "${args[@]}"
	done
	reads ./folder/soft
	context='-o hard folder/soft'
	ends 2 'the same file as the input' "$tool" -o hard "${args[@]}"
	context='>>in'
	reads ./in
	ends 2 'stdout: the output is the same file as the input' "$tool" "${args[@]}" 3>>in
	if [ -n "${2-}" ]; then
		context='-o in <in'
		local needed=()
		case $tool in
		pk) needed=(copy) ;;
		pk-export) needed=(perf.data) ;;
		pk-plot) needed=(flame) ;;
		pk-span) needed=(--start '*' --end '*' --key pid) ;;
		esac
		ends 2 'the same file as the input stdin' "$tool" "${needed[@]}" -o in <in
		ends 2 'the same file as the input stdin' "$tool" "${needed[@]}" -o soft <hard
		ends 2 'stdout: the output is the same file as the input' "$tool" "${needed[@]}" <in 3>>in
	fi
	[ "$before" = "$(stat -c '%i %a %s %Y' in)" ] || complain "an input as output: it was changed"
	cmp "$1" in
	rm -f in hard soft
	rm -r folder
}

# Descriptors that are closed: no file becomes stdout or stderr by chance.
closed()
{
	reads "$1"
	context='stdout is closed'
	ends 1 . without_stdout "$tool" "${args[@]}"
	for option in --help --version; do
		context="$option, stdout is closed"
		ends 1 'Bad file descriptor' without_stdout "$tool" $option
	done
	rm -f out
	"$tool" -v -o out "${args[@]}" 2>/dev/null
	mv out expected
	"$tool" -v -o out "${args[@]}" 2>&-
	same_content expected out || complain "stderr is closed: -o has other content"
	rm -f out
	"$tool" -v -o out "${args[@]}" <&- >&- 2>&-
	same_content expected out || complain "everything is closed: -o has other content"
}

# What cannot be written is said.
full()
{
	reads "$1"
	context='>/dev/full'
	ends 1 'No space left on device' "$tool" "${args[@]}" 3>/dev/full
	context='-o /dev/full'
	ends 1 'No space left on device' "$tool" -o /dev/full "${args[@]}"
	for option in --help --version; do
		context="$option >/dev/full"
		ends 1 'No space left on device' "$tool" $option 3>/dev/full
	done
	context='RLIMIT_FSIZE'
	rm -f out
	ends 1 'File too large' limited "$tool" -o out "${args[@]}"
}

limited()
(
	ulimit -f 0
	exec "$@"
)
