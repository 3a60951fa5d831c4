# SPDX-License-Identifier: BSD-2-Clause
# Tracepoints: perf and pk record the same program at the same time, and perf script prints the same
# of both, field by field, whatever of pk has passed on the stream.
. "$PK_TOP/tests/live/fold.bash"
perf --version >/dev/null 2>&1 || skip "no perf"
pk-record -q -e sched:sched_switch -o probe.pk -- true 2>err || skip "no tracepoints: $(head -n 1 err)"

# What perf script prints of the program, without the times, which differ by the time in between, and so
# without the order on different CPUs.
events()
{
	perf script -i - <"$1" 2>perf.err | sed -n 's/^ *\(switcher \)/\1/p' |
		sed -E 's/ +[0-9]+\.[0-9]{6}: +/ /; s/ +/ /g' | grep -vE "$2" | sort
}

compile switcher.c switcher || fail "$(cat compile.err)"
what=sched:sched_switch,sched:sched_wakeup,sched:sched_process_fork,sched:sched_process_exit
# Without --buildid-mmap kernel 6.18 makes records for perf that perf dies of, while pk-record, here or in
# another test, asks for build-ids.
perf record -q --no-bpf-event --buildid-mmap -e $what -o - pk-record -e $what -o pk.pk -- ./switcher 200 2>perf.err >perf.pk ||
	skip "perf record fails: $(tail -n 1 perf.err)"
check pk.pk
# Whoever else is woken up meanwhile, by interrupts or to read the events.
others='sched_wakeup: comm=([^s]|s[^w])'
events perf.pk "$others" >expected
events pk.pk "$others" >found
perf_silent perf.err
[ "$(grep -c 'sched:sched_switch: prev_comm=switcher prev_pid=[0-9]* prev_prio=.* ==> next_comm=' found)" -ge 200 ] ||
	fail "too few:" "$(head -n 20 found)"
[ "$(grep -c 'sched:sched_process_fork: comm=switcher pid=[0-9]* child_comm=switcher' found)" = 1 ] || fail "no fork"
diff expected found >difference || fail "perf script prints of perf's and of pk's:" "$(head -n 20 difference)"

pk-symbolize pk.pk >symbolized.pk || fail "status $?"
events symbolized.pk "$others" | cmp - found || fail "pk-symbolize changes what perf prints"
exit 0
