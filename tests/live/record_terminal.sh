# SPDX-License-Identifier: BSD-2-Clause
# On a terminal, pk-record says how far a recording to a file is, and what it has captured; elsewhere it says nothing.
. "$PK_TOP/tests/live/record.bash"
"$PK_BUILD/tests/live/on_terminal" true || exit

# on_terminal FILE COMMAND: what it prints on a terminal
on_terminal()
{
	"$PK_BUILD/tests/live/on_terminal" bash -c "$2" </dev/null >"$1"
}

captured='pk-record: captured [0-9,]+ samples? in [0-9.]+ MB to out\.pk'
on_terminal seen "pk-record -m 64K -e cpu-clock:u -o out.pk -- spinner 0.2" || fail "a command: $(cat seen)"
grep -qxE "$captured" seen || fail "a command: $(cat -v seen)"
[ "$(wc -l <seen)" = 1 ] || fail "a command: more than one line: $(cat -v seen)"
[ "$(sed -n 's/.*captured \([0-9,]*\) sample.*/\1/p' seen | tr -d ,)" = "$(pk-script -q out.pk | wc -l)" ] ||
	fail "another number of samples: $(cat -v seen)"

# A line for each second, which the last line replaces. The four recordings run at once: each waits for its time. All fit into the
# memory that a user may lock.
spinner 100 &
worker=$!
trap 'kill $worker 2>/dev/null' EXIT
on_terminal progress "pk-record -m 64K -e cpu-clock:u -p $worker --for 2500ms -o out.pk" &
progress=$!
on_terminal quiet "pk-record -q -m 64K -e cpu-clock:u -p $worker --for 1500ms -o quiet.pk" &
quiet=$!
# A program that reads the stream can draw on the terminal.
on_terminal pipe "pk-record -m 64K -e cpu-clock:u -p $worker --for 1500ms | cat >pipe.pk" &
pipe=$!
pk-record -m 64K -e cpu-clock:u -p $worker --for 1500ms -o other.pk 2>err || fail "$(cat err)"
silent err
wait $progress || fail "$(cat progress)"
wait $quiet || fail "-q: $(cat quiet)"
wait $pipe || fail "a pipe: $(cat pipe)"
tr '\r' '\n' <progress | grep -qE '^pk-record: [12] s, [0-9,]+ samples, [0-9.]+ MB, [0-9,]+ lost.\[K$' || fail "no progress: $(cat -v progress)"
tr '\r' '\n' <progress | grep -qE "^.\[K$captured\$" || fail "the line stays: $(cat -v progress)"
[ ! -s quiet ] || fail "-q: $(cat -v quiet)"
[ ! -s pipe ] || fail "a pipe: $(cat -v pipe)"
exit 0
