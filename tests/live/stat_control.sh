# SPDX-License-Identifier: BSD-2-Clause
# When counting begins and ends, and what is done around it.
set -u
PATH=$PK_BUILD/tests/live:$PATH
status=0
fail()
{
	echo "$*"
	status=1
}
pk-stat -o /dev/null -e task-clock -- true 2>err || {
	echo "counting is not possible here: $(head -n 1 err)" >&2
	exit 77
}
shadow=0
[ -z "$PK_SAN" ] || shadow=8000

# Somebody says when: only the 5000 pages in between count.
mkfifo in ack
# shellcheck disable=SC2016 # expands in the command
timeout 60 pk-stat -q -D -1 --control fifo:in,ack -x, -o csv -e page-faults -- sh -c '
	toucher 9000
	echo enable >in; read answer <ack; echo "$answer" >answers
	toucher 5000
	echo disable >in; read answer <ack; echo "$answer" >>answers
	toucher 9000
	echo ping >in; read answer <ack; echo "$answer" >>answers
	true' || fail "--control: status $?"
[ "$(cat answers)" = "ack
ack
ack" ] || fail "answers: $(cat answers)"
n=$(cut -d, -f1 csv)
[ "$n" -ge 5000 ] && [ "$n" -lt $((6000 + shadow)) ] || fail "5000 pages between enable and disable are $n faults"
timeout 60 pk-stat -q --control fifo:in,ack -x, -o csv -e task-clock -- sh -c 'echo stop >in; sleep 50'
[ $? = 143 ] || fail "stop does not end the command: $?"

# Before, after, and how long each took
pk-stat -q -r 3 --pre 'echo before >>log' --post 'echo after >>log' --table -o text -e page-faults -- sh -c 'echo run >>log' ||
	fail "--pre: status $?"
[ "$(tr '\n' ' ' <log)" = 'before run after before run after before run after ' ] || fail "order: $(cat log)"
[ "$(grep -cE '^ +[0-9.]+ \([-+][0-9.]+\) #+$' text)" = 3 ] || fail "--table: $(cat text)"
pk-stat -q --pre false -o /dev/null -e page-faults -- touch ran && fail "--pre false is no failure"
[ ! -e ran ] || fail "runs in spite of --pre false"

# Again and again, until somebody interrupts
timeout -s INT 1 pk-stat -q -r 0 -x, -o csv -e page-faults -- true
[ "$(wc -l <csv)" -ge 2 ] || fail "-r 0: $(cat csv)"
{
	timeout 20 pk-stat -q -r 0 -x, -o - -e page-faults -- true
	echo $? >code
} | head -n 1 >begun
[ "$(cat code)" = 1 ] || fail "-r 0 into a closed pipe: status $(cat code)"

# Intervals and their sum
pk-stat -q -I 20 --summary -x, -o csv -e page-faults -- toucher 3000 60 || fail "--summary: status $?"
awk -F, '/summary/ { whole = $2; next } { sum += $2; n++ } END { exit !(n >= 2 && sum == whole && sum >= 3000) }' csv ||
	fail "intervals are not what their sum is: $(cat csv)"
pk-stat -q -I 20 --interval-count 2 -x, -o csv -e page-faults -- sleep 5
[ "$(wc -l <csv)" = 2 ] || fail "--interval-count: $(cat csv)"

# What goes to which descriptor
pk-stat -q --log-fd 5 -x, -e page-faults -- true 5>five 2>two
grep -q page-faults five || fail "--log-fd: $(cat five two)"
pk-stat -q -x, -o - -e page-faults -- true >one
grep -q page-faults one || fail "-o -: $(cat one)"
pk-stat -q -x, -o one --append -e page-faults -- true
[ "$(wc -l <one)" = 2 ] || fail "--append: $(cat one)"
pk-stat --stream -o out.pk -e page-faults -- echo hello >said || fail "--stream -o: status $?"
[ "$(cat said)" = hello ] || fail "what the command says is lost"
pk-stat -x, out.pk | grep -q page-faults || fail "--stream -o FILE is no recording"
pk-stat --stream -e page-faults -- sh -c 'exit 3' >out.pk
[ $? = 3 ] || fail "--stream: the command's status is lost"

# Where nobody reads any more, nothing is counted any more, and nobody is told.
for how in '-x,' --stream; do
	{
		timeout 20 pk-stat -q "$how" -I 20 -o - -e page-faults -- sleep 25 2>said
		echo $? >code
	} | head -c 5 >begun
	[ "$(cat code)" = 143 ] && [ -s begun ] && [ ! -s said ] || fail "$how into a closed pipe: status $(cat code): $(cat said)"
done
pk-stat -q -x, -I 20 -o /dev/full -e page-faults -- sleep 25 2>said
[ $? = 143 ] && grep -q '/dev/full: No space left on device' said || fail "intervals on a full disk: $(cat said)"

# User space alone, the kernel alone; a counter of both
if pk-stat -q -x, -o csv -e instructions -- true && grep -q '^[0-9]' csv; then
	pk-stat -q -x, -o csv --all-user -e instructions -- true
	cut -d, -f1 csv >user
	pk-stat -q -x, -o csv -e instructions:u -- true
	awk -v a="$(cat user)" -v b="$(cut -d, -f1 csv)" 'BEGIN { exit !(a > b * 0.9 && a < b * 1.1) }' ||
		fail "--all-user: $(cat user csv)"
fi
exit $status
