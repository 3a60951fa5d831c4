# SPDX-License-Identifier: BSD-2-Clause
# The views of pk-script print what perf trace, perf sched map and perf sched timehist print of the same recording.
. "$PK_TOP/tests/live/record.bash"
. "$PK_TOP/tests/live/perf.bash"
pk-record -q -e raw_syscalls:sys_enter -o probe.pk -- true 2>err || skip "no tracepoints: $(head -n 1 err)"

# System calls. perf prints a call on two lines if another thread calls in between: they are joined. Addresses of names, and
# arguments with other words (docs/spans.md) are not compared.
pk-record -q -m 8M -e syscalls -o calls.pk -- sh -c '
	i=0; while [ $i -lt 200 ]; do i=$((i + 1)); [ -e /nonexistent$i ]; : </dev/null; done
	ls -l /etc /usr/bin | sort | wc -l
	find /usr/include -name "*.h" | head -n 2000 | wc -l
	tar cf - /etc 2>/dev/null | gzip | wc -c
	perl -MSocket -e "socket(S, AF_INET, SOCK_STREAM, 0); bind(S, sockaddr_in(0, INADDR_LOOPBACK)); listen(S, 1);
		socket(C, AF_INET, SOCK_STREAM, 0); connect(C, getsockname(S)); accept(A, S); send(C, q(x), 0); select undef, undef, undef, .01;
		kill 0, \$\$; mkdir q(d); rmdir q(d); symlink q(x), q(l); rename q(l), q(m); unlink q(m); alarm 1; alarm 0"' 2>err ||
	fail "$(cat err)"
pk-span -q --name syscall --start raw_syscalls:sys_enter --end raw_syscalls:sys_exit --key tid --carry call,args calls.pk |
	pk-script -q --view syscalls >by_pk 2>err || fail "syscalls: $(cat err)"
pk-export perf.data -o calls.data calls.pk || fail "no file for perf"
perf trace -i calls.data 2>by_perf >&2
perl -ne '
	s/ +$//;
	if (/^ *[\d.]+ \( +\): (\S+) (.*?) *\.\.\.$/) { $open{$1} = $2; next }
	next unless /^ *([\d.]+) \( *([\d.]+) ms\): (\S+) +(.*)/;
	my ($time, $duration, $task, $rest) = ($1, $2, $3, $4);
	if ($rest =~ /^\.\.\. \[continued\]: \w+\(\)\) +(= .*)/) {
		my $end = $1;
		next unless defined $open{$task};
		$rest = "$open{$task} $end";
	}
	print "$time $duration $task $rest\n";
' by_perf >joined
# Left out are the arguments that docs/spans.md lists: pointers to names, of which perf prints 32 bits, flags that it prints as numbers,
# commands of fcntl, real-time signals, and the names of processes after their numbers. perf 7 prints neither names of errors,
# nor what is written, nor the signal of clone, nor flags of accept4 in words.
unprinted=
[ "$perf_version" -lt 7 ] || unprinted='s/= -1 (\(unknown\)|E[A-Z0-9]+)/= -1/; / write\(/s/buf: ,/buf: X,/
	s/clone_flags:\|/clone_flags: /; s/\|0x11,/,/; s/ accept4\(.*\)=/ accept4()=/'
lines()
{
	sed -E 's/^ *([0-9.]+) \( *([0-9.]+) ms\): /\1 \2 /; s/(name|path|buf): 0x[0-9a-f]+/\1: X/g; s/(= [0-9]+|pid: [0-9]+) \([^)]*\)/\1/
		s/ +$//; s/ += /= /; s/ +/ /g; / rt_sigreturn\(| = \?$/d; s/(sig: )(0x2[2-9a-f]|0x[34][0-9a-f]|3[4-9]|[456][0-9])/\1RT/
		s/(newfstatat|statx|unlinkat|faccessat2|fadvise64|getrusage|umask|epoll_create1|dup3)\(.*\)=/\1()=/; s/(cmd: [GS]ETFD).*/\1/'";$unprinted" "$1" | sort
}
lines by_pk >own
lines joined >theirs
at_least "$(wc -l <theirs)" 10000 "lines of perf trace"
# The lines of a call that other tasks interrupt twice cannot be joined.
diff theirs own >difference
[ "$(grep -c '^<' difference)" -le 5 ] && [ "$(grep -c '^>' difference)" -le $(($(grep -c 'continued' by_perf) / 50 + 20)) ] ||
	fail "other system calls than perf trace: $(head -n 20 difference)"

# Context switches.
pk-record -q -a -g -e sched -o sched.pk -- sh -c 'for i in 1 2 3 4 5; do sleep 0.05; ls / | sort >/dev/null; done' 2>err ||
	skip "context switches of all tasks cannot be recorded: $(head -n 1 err)"
pk-export perf.data -o sched.data sched.pk || fail "no file for perf"
perf sched map -i sched.data >theirs 2>err || fail "perf sched map: $(cat err)"
pk-script -q --view map sched.pk >own 2>err || fail "map: $(cat err)"
at_least "$(wc -l <theirs)" 20 "context switches"
# perf 7 has columns only for the processors that it has seen. In some lines of tasks that end, perf has no name.
awk '{ match($0, /[0-9.]+ secs/); time = substr($0, RSTART, RLENGTH) }
	NR == FNR { if (/ => :[0-9]+:[0-9]+ *$/) unnamed[time]; next }
	time in unnamed { tid = $0; sub(/.*:/, "", tid); sub(/=> .*/, "=> :" tid ":" tid) } { print }' theirs own >own.map
diff -b theirs own.map >difference || fail "another map than that of perf: $(head -n 10 difference)"
# perf 6 has no name of a task that ends, and no delay of a task that was preempted: both times are equal then. perf 7 forgets the times of
# tasks that end, takes all that have the number -1 at their end for one, and has no names of kernel functions for all files.
if [ "$perf_version" -lt 7 ]; then
	comparable() { sed -E '1,3d; s/ ([0-9]+\.[0-9]{3}) +\1 / \1 0.000 /; s/ +$//' "$1"; }
	letters=('' w M n wMV nV)
else
	pk-script -q -F event,trace sched.pk | sed -n 's/.*sched_process_exit: .*pid=\([0-9]*\).*/\1/p; $a\-1' >ended
	comparable() { sed -E '1,3d; s/ +$//' "$1" | awk 'NR == FNR { ended[$1]; next } { tid = substr($0, 26)
		sub(/^[^[]*\[/, "", tid); sub(/[]\/].*/, "", tid) } !(tid in ended)' ended -; }
	letters=('' w M n wMV nV g gw)
fi
for letter in "${letters[@]}"; do
	options=(--no-call-graph ${letter:+"-$letter"})
	[[ $letter != *g* ]] || options=("-$letter")
	perf sched timehist "${options[@]}" -i sched.data 2>/dev/null >theirs || fail "perf sched timehist -$letter"
	pk-script -q --layout "timehist:$letter" sched.pk >own 2>err || fail "timehist $letter: $(cat err)"
	# Of a task that ends, perf has no name. With -V, it prints a column too many.
	unnamed=' :-\?[0-9]*\(\[\|$\)'
	diff -b <(comparable theirs | grep -v "$unnamed") <(comparable own) | grep '^[<>]' >difference
	[ "$(grep -c '^<' difference)" = 0 ] && [ "$(grep -c '^>' difference)" = "$(comparable theirs | grep -c "$unnamed")" ] ||
		fail "timehist $letter: $(head -n 10 difference)"
done
exit 0
