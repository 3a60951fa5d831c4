# SPDX-License-Identifier: BSD-2-Clause
# Spans of system calls and context switches that are recorded here: perf script prints the same of them as pk-script, and
# their times are those of the samples that they are made of.
. "$PK_TOP/tests/live/record.bash"
. "$PK_TOP/tests/live/perf.bash"
pk-record -q -e raw_syscalls:sys_enter -o probe.pk -- true 2>err || skip "no tracepoints: $(head -n 1 err)"

# traces FILE: the text of spans, as pk-script prints it
traces()
{
	pk-script -q -F event,trace "$1" | sed -n -E 's/^ *pk:span: *//p'
}

# compare NAME FILE LEAST: perf's text of each span, and the number of them
compare()
{
	traces "$2" >by_pk
	perf script -i - <"$2" 2>err | sed -n -E 's/^.* pk:span: *//p' >by_perf
	cmp by_perf by_pk || fail "$1: perf script prints:" "$(diff by_perf by_pk | head -n 10)"
	pk-script -q --json "$2" | sed -n -E 's/.*"event":"pk:span".*"trace":"([^"]*)".*/\1/p' >by_json
	cmp by_json by_pk || fail "$1: pk-script --json prints:" "$(diff by_json by_pk | head -n 10)"
	pk-script -q --json "$2" | sed -n -E 's/.*"event":"pk:span".*"fields":\{([^}]*)\}.*/\1/p' | tr -d '"' | tr ':,' '= ' >by_json
	cmp by_json by_pk || fail "$1: the fields of pk-script --json are:" "$(diff by_json by_pk | head -n 10)"
	[ "$(wc -l <by_pk)" -ge "$3" ] || fail "$1: $(wc -l <by_pk) spans, not $3"
}

pk-record -q -e raw_syscalls:sys_enter,raw_syscalls:sys_exit -o calls.pk -- sh -c \
	'i=0; while [ $i -lt 600 ]; do i=$((i + 1)); [ -e /nonexistent$i ]; : </dev/null; done' 2>err || fail "$(cat err)"
pk-span -v --start sys_enter --end sys_exit --key tid,id calls.pk >spans.pk 2>err || fail "$(cat err)"
check spans.pk
compare "system calls" spans.pk 1000
pk-script -q --ns -F tid,cpu,time,event,trace calls.pk | perl "$PK_TOP/tests/corpus/spans.pl" raw_syscalls:sys_enter \
	'(?=.*tid=(\d+)).*NR (\d+)' raw_syscalls:sys_exit '(?=.*tid=(\d+)).*NR (\d+)' | sort >expected
perl -ne 'my %is = /(\w+)=(\S*)/g; print "$is{start} $is{duration} $is{tid} $is{id}\n"' by_pk | sort >found
diff expected found >difference || fail "other spans than those of the samples:" "$(head -n 10 difference)"
# 600 files that do not exist: error 2. A busy machine can lose some records.
[ "$(grep -c ' ret=-2 error=2 ' by_pk)" -ge 500 ] || fail "few errors:" "$(head -n 5 by_pk)"

# rt_sigreturn: the id of its end is -1.
pk-record -q -e raw_syscalls:sys_enter,raw_syscalls:sys_exit -o signal.pk -- sh -c 'trap : USR1; kill -USR1 $$; :' 2>err || fail "$(cat err)"
pk-span -q --start sys_enter --end sys_exit --key tid --carry id,end.id signal.pk | pk-script -q -F event,trace |
	grep -q ' id=[0-9]* id_2=-1 ' || fail "no span of rt_sigreturn"

# Two of them, with stacks, through pk-symbolize.
pk-record -q -e sched:sched_switch -g -o switches.pk -- sh -c 'for i in 1 2 3 4 5; do sleep 0.02; done' 2>err || fail "$(cat err)"
pk-span -q --start sched_switch --start-where 'prev_state != 0' --end sched_switch --key prev_pid=next_pid switches.pk |
	pk-span -q --start pk:span --end pk:span --key prev_pid --name twice --pass | pk-symbolize -q >spans.pk || fail "a pipeline fails"
compare "context switches" spans.pk 1
exit 0
