# SPDX-License-Identifier: BSD-2-Clause
# timeout: 300
# A table of 100,000 rows and as many branches: pk-top answers each key within two seconds, also while it reads.
. "$PK_TOP/tests/cli/pk-top/screen.bash"
{
	header
	event_of 7 'CPU PERIOD CALLCHAIN'
	session "1"
	echo 'STRING id=1 length=4 text="prog"'
	echo 'STRING id=2 length=4 text="main"'
	frame 1 1 256
	frame 2 2 2
	stack 1 0 1
	stack 2 1 2
	awk 'BEGIN {
		for (i = 3; i < 100003; i++) {
			printf "STRING id=%d length=62 text=\"std::vector<std::pair<int, unsigned long>>::function_%09d\"\n", i, i
			printf "FRAME id=%d dso=0 function=%d file=0 line=0 flags=2\n", i, i
			parent = i % 20 ? int(i * 7919 % (i - 2)) + 2 : 2
			printf "STACK id=%d parent=%d frame=%d\n", i, parent, i
			printf "SAMPLE misc=(user) id=7 ip=0x1000 pid=1 tid=1 time=%d cpu=0 period=%d nr=1 ips[0]=0x1000 stack=%d\n", \
				i * 1000, 1000 - i % 777, i
		}
	}'
	finish
} | assemble >rows.pk
slowest=0
# within REGEX KEY...: presses keys, and measures the time until a line matches
within()
{
	local regex=$1 from=${EPOCHREALTIME/./} time
	shift
	keys "$@"
	until in_terminal capture-pane -p | grep -qE -e "$regex"; do
		time=$(((${EPOCHREALTIME/./} - from) / 1000))
		[ "$time" -lt 10000 ] || {
			echo "no answer within 10 s: $*"
			screen
			exit 1
		}
		sleep 0.01
	done
	time=$(((${EPOCHREALTIME/./} - from) / 1000))
	echo "pk-top: ${*}: $time ms" >&2
	[ "$time" -le "$slowest" ] || slowest=$time
}
size=140x24
start 'cat rows.pk | pk-top --delay 200ms'
within 'Samples: [1-9]' Home
within 'any key: back' h
within 'h: help' h
await 'has ended'
within '^- .*main' Home Enter
within '^\+ .*main' Enter
within '^- .*std' E
within '^\+ .*main' C Home
within 'sorted by Symbol' '>' '>' '>' '>'
within 'sorted by Children, largest' '<' '<' '<' '<'
within 'Search: 000099998$' / 000099998
within 'function_000099998' Enter
within '^/000099997' F 000099997 Enter
within 'callers first|callees first' i
keys q
ended
echo "pk-top: the slowest answer took $slowest ms"
[ "$slowest" -le 2000 ]
