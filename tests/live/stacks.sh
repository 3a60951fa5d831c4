# SPDX-License-Identifier: BSD-2-Clause
# --snapshots: the stacks of all threads, running or not, without events of the kernel.
. "$PK_TOP/tests/live/record.bash"
. "$PK_TOP/tests/live/stacks.bash"
PATH=$PATH:$PK_BUILD/tests/live

# A recorder that does not end is a failure that names its command.
pk-record() { timeout 60 "$PK_BIN/pk-record" "$@"; }

start_waiters

# One snapshot, in an environment without perf_event_open(2).
deny_perf 13 pk-record -v --snapshots=once -i -p "$target" -o once.pk 2>err || {
	grep -q 'not supported' err && skip "$(cat err)"
	fail "--snapshots=once: $(cat err)"
}
check once.pk
pk-unwind -q once.pk | pk-symbolize -q | pk-script -q --view stacks >stacks || fail 'no text of the stacks'
[ "$(grep -c '^Thread ' stacks)" = 8 ] || fail "8 threads are not there: $(cat stacks)"
[ "$(grep -c '^Process ' stacks)" = 1 ] || fail "more than one process: $(cat stacks)"

# thread FUNCTION STATE CALL: the thread that is in this function has this state, and is in this system call.
thread()
{
	awk -v function_="$1" -v state="$2" -v call="$3" '
		/^Thread / { head = $0 }
		$0 ~ " in " function_ " " {
			n++
			if (index(head, "\" " state) && (call == "" || index(head, " " call "("))) good++
		}
		END { exit !(n && n == good) }' stacks || fail "$1 is not in state $2 and in the call $3: $(cat stacks)"
}
thread wait_for_mutex S futex
thread wait_for_condition S futex
thread wait_for_epoll S epoll_wait
thread wait_for_pipe S read
thread wait_for_time S clock_nanosleep
thread wait_for_child S wait4
thread run R ''
grep -q 'read(fd: [0-9]*, buf: 0x[0-9a-f]*, count: 1)' stacks || fail "no arguments: $(cat stacks)"
# The stack goes on below the handler of a signal.
for function in on_signal wait_in_handler main _start; do
	grep -q "^#.* in $function " stacks || fail "$function is not there: $(cat stacks)"
done
[ "$(grep -c ' in wait_in_handler ' stacks)" = 4 ] || fail "not 4 calls: $(cat stacks)"

# Each 10 ms: the wall-clock time of each thread. The threads that wait are stopped at most once.
pk-record -v --snapshots -p "$target" --for 300ms -o many.pk 2>err || fail "--snapshots: $(cat err)"
check many.pk
pk-unwind -q many.pk | pk-symbolize -q >named.pk
pk-report -q --by tid,trace.state --show period,samples named.pk | awk '/^ *[0-9]/ { gsub(",", ""); print $1, $2, $3, $4 }' >sums
[ "$(awk '{ n[$3] } END { for (i in n) c++; print c }' sums)" = 9 ] || fail "not 8 threads and a child: $(cat sums)"
# The periods of a thread are the times between its samples, and the first one is the interval.
pk-script -q --json named.pk | sed -n 's/.*"tid":\([0-9]*\),"time":\([0-9]*\),.*"period":\([0-9]*\),.*/\1 \2 \3/p' |
	awk '!($1 in first) { first[$1] = $2; $3 -= 10000000; n++ }
		{ last[$1] = $2; sum[$1] += $3 }
		END { for (i in sum) if (sum[i] != last[i] - first[i]) exit 1; exit n < 9 }' ||
	fail "the times of the threads are not the time of the recording: $(cat sums)"
pk-script -q --json named.pk | sed -n 's/.*"tid":\([0-9]*\),.*"pause":\([0-9]*\),.*/\1 \2/p' |
	awk '$2 { n[$1]++ } END { for (i in n) if (n[i] > 5) more++; print more + 0 }' >stopped
[ "$(cat stopped)" -le 1 ] || fail "$(cat stopped) threads, and not only the running one, were stopped again and again"
pk-fold -q named.pk >folded
grep -q ';wait_for_pipe;.* [0-9]' folded || fail "no folded stacks: $(cut -c1-300 folded)"

# The program has not noticed it.
[ "$(cat waiters.out)" = "$target" ] || fail "a call has ended: $(cat waiters.out)"
for tid in $tids; do
	case $(sed 's/.*) //; s/ .*//' "/proc/$target/task/$tid/stat") in
	[SR]) ;;
	*) fail "thread $tid does not run on: $(cat "/proc/$target/task/$tid/stat")" ;;
	esac
done

# One thread of the process; and a process that is stopped.
tid=${tids%% *}
pk-record --snapshots=once -t "$tid" -o one.pk 2>err || fail "-t: $(cat err)"
[ "$(pk-script -q -F tid one.pk | grep -cx " *$tid *")" = 1 ] || fail "-t: not one thread"
kill -STOP $target
for ((try = 0; try < 10000; try++)); do
	states=$(sed 's/.*) //; s/ .*//' /proc/$target/task/*/stat | sort -u | paste -sd ' ')
	[ "$states" != T ] || break
done
[ "$states" = T ] || fail "threads of a stopped process have the states $states"
pk-record --snapshots=once -i -p "$target" -o stopped.pk 2>err || fail "of a stopped process: $(cat err)"
pk-unwind -q stopped.pk | pk-symbolize -q | pk-script -q --view stacks >stacks
thread wait_for_pipe T read
kill -CONT $target

# Another user's process: its states, and what is missing is told.
nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
if [ "$(id -u)" = 0 ] && "${nobody[@]}" "$PK_BIN/pk-record" --version >out 2>&1; then
	"${nobody[@]}" "$PK_BIN/pk-record" --snapshots=once -i -p "$target" >other.pk 2>err || fail "of another user: $(cat err)"
	grep -q '8 of 8 stacks are missing: this user may not trace' err || fail "no message: $(cat err)"
fi
end_waiters

# A command, through an exec.
pk-record --snapshots=2ms -o command.pk -- sh -c 'exec sleep 0.2' 2>err || fail "of a command: $(cat err)"
check command.pk
pk-unwind -q command.pk | pk-symbolize -q | pk-fold -q >folded
grep -q '^sleep;.*nanosleep' folded || fail "the command is not there: $(cut -c1-300 folded)"
pk-record --snapshots=2ms -o status.pk -- sh -c 'sleep 0.1; exit 3' 2>err
status=$?
[ $status = 3 ] || fail "not the status of the command, but $status: $(cat err)"

for wrong in '--snapshots -a' '--snapshots -u root' '--snapshots -e cycles' --snapshots=often --snapshots=1us '--snapshots -C 0' '--snapshots --off-cpu'; do
	pk-record $wrong -- true >out 2>err
	[ $? = 2 ] && [ ! -s out ] || fail "$wrong: not a usage error: $(cat err)"
done
pk-record --snapshots=once -p 2147483646 >out 2>err
[ $? != 0 ] || fail "a process that does not exist: $(cat err)"
exit 0
