# SPDX-License-Identifier: BSD-2-Clause
# On a terminal, pk-record says how far a recording to a file is, and what it has captured; elsewhere it says nothing.
. "$PK_TOP/tests/live/record.bash"
"$PK_BUILD/tests/live/on_terminal" true || exit

# seen COMMAND: what it prints on a terminal
seen()
{
	"$PK_BUILD/tests/live/on_terminal" bash -c "$1" </dev/null >seen || fail "$1: $(cat seen)"
}

captured='pk-record: captured [0-9,]+ samples? in [0-9.]+ MB to out\.pk'
seen "pk-record -e cpu-clock -o out.pk -- spinner 0.2"
grep -qxE "$captured" seen || fail "a command: $(cat -v seen)"
[ "$(wc -l <seen)" = 1 ] || fail "a command: more than one line: $(cat -v seen)"
[ "$(sed -n 's/.*captured \([0-9,]*\) sample.*/\1/p' seen | tr -d ,)" = "$(pk-script -q out.pk | wc -l)" ] ||
	fail "another number of samples: $(cat -v seen)"

# A line for each second, which the last line replaces.
spinner 100 &
worker=$!
trap 'kill $worker 2>/dev/null' EXIT
seen "pk-record -e cpu-clock -p $worker --for 2500ms -o out.pk"
tr '\r' '\n' <seen | grep -qE '^pk-record: [12] s, [0-9,]+ samples, [0-9.]+ MB, [0-9,]+ lost.\[K$' || fail "no progress: $(cat -v seen)"
tr '\r' '\n' <seen | grep -qE "^.\[K$captured\$" || fail "the line stays: $(cat -v seen)"

seen "pk-record -q -e cpu-clock -p $worker --for 1500ms -o out.pk"
[ ! -s seen ] || fail "-q: $(cat -v seen)"
# A program that reads the stream can draw on the terminal.
seen "pk-record -e cpu-clock -p $worker --for 1500ms | cat >out.pk"
[ ! -s seen ] || fail "a pipe: $(cat -v seen)"
pk-record -e cpu-clock -p $worker --for 1500ms -o out.pk 2>err || fail "$(cat err)"
silent err
exit 0
