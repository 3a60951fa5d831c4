# SPDX-License-Identifier: BSD-2-Clause
# Everything on all CPUs, with the tasks that ran before; existing processes; existing threads.
. "$PK_TOP/tests/live/record.bash"

spinner 30 0 2 &
pid=$!
trap 'kill $pid' EXIT
while [ "$(grep -lx spin-thread /proc/$pid/task/*/comm | wc -l)" != 2 ]; do sleep 0.02; done

pk-record -e cpu-clock,task-clock -F 199 -g -p $pid -o p.pk -- bash -c "used $pid 500" 2>err || fail "-p: $(cat err)"
silent err
check p.pk
at_least "$(records $SAMPLE)" 20 "samples of the process"
[ "$(records $FORK)" = 3 ] || fail "not three threads are listed"
at_least "$(records $COMM)" 3 "names of threads"
perf_reads p.pk
if [ -e text ]; then
	grep -q '^spin-thread' text || fail "no sample of the threads"
	grep -q 'spin_inner' text || fail "the maps of the process are missing"
fi

# A program that is no longer where it was still has a build-id.
if [ "$(id -u)" = 0 ] && [ -e text ]; then
	cp "$(command -v spinner)" gone
	./gone 20 &
	while [ "$(cat /proc/$!/comm)" != gone ]; do sleep 0.02; done
	rm gone
	pk-record -e cpu-clock -F 99 -p $! -o gone.pk -- bash -c "used $! 200" || fail "a deleted program: status $?"
	kill $!
	perf script -i - --show-mmap-events <gone.pk 2>&1 | grep -q '<[0-9a-f]*>.*/gone (deleted)' ||
		fail "a deleted program has no build-id"
fi

tid=$(ls /proc/$pid/task | tail -n 1)
pk-record -e cpu-clock -F 199 -t "$tid" -o t.pk -- bash -c "used $pid 500" || fail "-t: status $?"
check t.pk
at_least "$(records $SAMPLE)" 5 "samples of the thread"
perf_reads t.pk
[ ! -e text ] || ! grep '^[a-z ]*[a-z]' text | grep -qv 'spin-thread' || fail "other threads were sampled"

may_record_all || skip "not allowed to record everything: $(head -n 1 all.err)"
pk-record -a -e cpu-clock -F 99 -g -- bash -c "used $pid 500" >a.pk 2>err || fail "-a: $(cat err)"
# What a busy machine loses is told.
! grep -v 'samples lost' err || fail "was said"
check a.pk
at_least "$(records $FORK)" "$(ls -d /proc/[0-9]* | wc -l | awk '{ print int($1 * 0.8) }')" "processes listed"
at_least "$(records $SAMPLE)" 20 "samples of everything"
perf_reads a.pk
[ ! -e text ] || grep -q spin_inner text || fail "the spinner's maps are missing"

# Without a command and a target, that is the default, as of perf record and perf stat; filters of the kernel apply.
pk-record -e cpu-clock -F 99 --for 300ms >default.pk 2>err || fail "no target: $(cat err)"
check default.pk
at_least "$(records $FORK)" "$(ls -d /proc/[0-9]* | wc -l | awk '{ print int($1 * 0.8) }')" "processes listed without a target"
if [ -r /sys/kernel/tracing/events/sched/sched_switch/format ]; then
	pk-record -e sched:sched_switch --filter 'prev_pid != 0' --for 300ms >filter.pk 2>err || fail "--filter: $(cat err)"
	pk-script --json filter.pk | jq -e 'select(.fields) | select(.fields.prev_pid == 0)' && fail "--filter has no effect"
	at_least "$(pk-script filter.pk | wc -l)" 1 "samples that match the filter"
fi
pk-stat -x, -e cpu-clock --timeout 100 -o counts 2>err </dev/null || fail "pk-stat without a target: $(cat err)"
at_least "$(awk -F. '{ print $1 }' counts)" $(($(getconf _NPROCESSORS_ONLN) * 80)) "ms counted on all CPUs"

pk-record -C 0 -e cpu-clock,page-faults --for 300ms >c.pk 2>err || fail "-C: $(cat err)"
check c.pk
perf_reads c.pk
if [ -e text ] && grep -vE ' \[000\] ' text | grep -q '\['; then fail "-C 0: another CPU was sampled"; fi
exit 0
