# SPDX-License-Identifier: BSD-2-Clause
# Counts that are known beforehand, and the layouts that scripts made for perf stat take apart.
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
event=page-faults
grep -q . err && event=page-faults:u

# field NAME FILE: the count of an event in fields parted by ';'
field()
{
	awk -F';' -v name="$1" '$3 ~ "^" name "(:u)?$" { print $1 }' "$2"
}

# Are two counts the same, but for what the start of a program may or may not fault in, and for the shadow memory of
# sanitizers?
slack=20
[ -z "$PK_SAN" ] || slack=600
same()
{
	[ $(($1 - $2)) -ge -$slack ] && [ $(($1 - $2)) -le $slack ]
}

# A page more is a fault more.
for pages in 1000 3000; do
	pk-stat -q -x ';' -o faults.$pages -e page-faults -- toucher $pages || fail "toucher $pages: status $?"
done
same $(($(field page-faults faults.3000) - $(field page-faults faults.1000))) 2000 ||
	fail "2000 pages: $(field page-faults faults.1000) and $(field page-faults faults.3000) faults"

# What the command starts counts too, unless it shall not.
pk-stat -q -x ';' -o with -e page-faults -- sh -c 'toucher 5000; true'
pk-stat -q -i -x ';' -o without -e page-faults -- sh -c 'toucher 5000; true'
[ "$(field page-faults with)" -ge 5000 ] || fail "children are not counted: $(cat with)"
[ "$(field page-faults without)" -lt 5000 ] || fail "children are counted in spite of -i: $(cat without)"

# The exit status is the command's.
for n in 0 3 42; do
	pk-stat -q -o /dev/null -e task-clock -- sh -c "exit $n"
	[ $? = $n ] || fail "exit $n is not passed on"
done
# shellcheck disable=SC2016 # expands in the command
pk-stat -q -o /dev/null -e task-clock -- sh -c 'kill -KILL $$'
[ $? = 137 ] || fail "a signal is not passed on"
pk-stat -q -o /dev/null -e task-clock -- ./no-such-command 2>/dev/null
[ $? = 127 ] || fail "no such command: status is not 127"
pk-stat -q -o /dev/null -e task-clock record true 2>err
[ $? = 2 ] || fail "record: status is not 2"
grep -q 'perf stat record is pk-stat --stream' err || fail "record: said $(cat err)"

# Text
pk-stat -q -e task-clock,page-faults -o text -- toucher 2000
grep -qE '^ Performance counter stats for .toucher 2000.:$' text || fail "no title: $(cat text)"
grep -qE '^ +[0-9.,]+ msec task-clock(:u)? +# +[0-9]+\.[0-9]{3} CPUs utilized +$' text || fail "task-clock: $(cat text)"
grep -qE '^ +[0-9,]+      page-faults(:u)? +# +[0-9.]+ [KMG]?/sec +$' text || fail "page-faults: $(cat text)"
grep -qE '^ +[0-9]+\.[0-9]{9} seconds time elapsed$' text || fail "no time: $(cat text)"

# Fields: as many as perf has
pk-stat -q -x, -e page-faults,task-clock -o csv -- true
awk -F, 'NF != 7 { print "not 7 fields: " $0; bad = 1 } END { exit bad }' csv || status=1
pk-stat -q -x, -r 3 -e page-faults -o csv -- toucher 100
awk -F, 'NF != 8 || $4 !~ /^[0-9.]+%$/ { print "no deviation: " $0; bad = 1 } END { exit bad || NR != 1 }' csv || status=1

# JSON
pk-stat -q -j -e page-faults,task-clock -o json -- true
grep -cE '^\{"counter-value" : "[0-9.]+", "unit" : "[a-z]*", "event" : "[a-z:-]+", "event-runtime" : [0-9]+, "pcnt-running" : 100\.00.*\}$' json |
	grep -qx 2 || fail "JSON: $(cat json)"

# Intervals add up to the whole.
pk-stat -q -x ';' -I 20 -e page-faults -o parts -- toucher 4000 40
pk-stat -q -x ';' -e page-faults -o whole -- toucher 4000 40
awk -F';' '{ n += $2 } END { print n, NR }' parts >sum
read -r sum lines <sum
same "$sum" "$(field page-faults whole)" || fail "intervals have $sum faults, the whole $(field page-faults whole)"
[ "$lines" -ge 2 ] || fail "no intervals in 40 ms"

# A process that runs, until it ends.
toucher 10 300 &
pk-stat -q -x ';' -p $! -e context-switches -o attached || fail "-p: status $?"
wait
field context-switches attached | grep -qE '^[0-9]+$' || fail "-p: $(cat attached)"

# A thread that ends before its process does; older kernels cannot tell.
if [ "$(printf '%s\n' 6.9 "$(uname -r)" | sort -V | head -n 1)" = 6.9 ] &&
	${CC:-cc} -O1 -o blocker "$PK_TOP/tests/live/workload/blocker.c" -pthread; then
	mkfifo gate
	./blocker thread:wait_for_input wait_for_ever <gate >told &
	process=$!
	exec 7>gate
	until thread=$(find "/proc/$process/task" -mindepth 1 -maxdepth 1 ! -name "$process" -printf %f) && [ "$thread" ]; do
		sleep 0.01
	done
	SECONDS=0
	pk-stat -q --timeout 20000 -x, -o csv -t "$thread" -e context-switches &
	until find "/proc/$!/fd" -lname '*pidfd*' 2>/dev/null | grep -q . || [ $SECONDS -gt 20 ]; do sleep 0.01; done
	echo >&7
	exec 7>&-
	wait $! || fail "-t: status $?"
	[ $SECONDS -lt 15 ] || fail "-t does not end with the thread"
	kill -0 $process || fail "the process has ended, too"
	kill $process
	wait $process 2>/dev/null
fi

# A command that does not mind SIGTERM is ended all the same.
pk-stat -q --for 50ms -o /dev/null -e task-clock -- sh -c 'trap "" TERM; while :; do :; done'
[ $? = 137 ] || fail "a command that ignores SIGTERM is not ended"

# What the machine does not have is said, and does not keep the rest from being counted.
pk-stat -q -x ';' -e page-faults,node-prefetch-misses,r1ffffff -o odd -- true || fail "unsupported events: status $?"
field page-faults odd | grep -qE '^[0-9]+$' || fail "beside unsupported events: $(cat odd)"

# Beside perf: the same program has the same faults.
if perf stat -x ';' -e $event -o perf.csv -- toucher 2500 2>/dev/null; then
	pk-stat -q -x ';' -e page-faults -o ours.csv -- toucher 2500
	theirs=$(grep page-faults perf.csv | cut -d';' -f1)
	ours=$(field page-faults ours.csv)
	same "$ours" "$theirs" || fail "$ours faults, $theirs by perf"
fi
# Events are listed as by pk-record; --aggr-socket is --per-socket.
pk-stat --list sw | grep -qE '^page-faults +software' || fail "--list"
if pk-stat -q -a -e cpu-clock -o text -- true 2>/dev/null; then
	pk-stat -q -a --aggr-socket -x, -e cpu-clock -o text -- true || fail "--aggr-socket: status $?"
	grep -qE '^S0,[0-9]+,' text || fail "--aggr-socket: $(cat text)"
fi
exit $status
