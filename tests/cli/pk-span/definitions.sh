# SPDX-License-Identifier: BSD-2-Clause
# Several definitions in one run: each has its event, samples that one of them has paired are removed, and the losses of all
# are added. --again, --cancel, --task, and tasks that end.
. "$PK_TOP/tests/cli/pk-span/switches.bash"
both=(--name run --start sched_switch --start-where 'next_pid != 0' --end sched_switch --key next_pid=prev_pid --stack end
	--name delay --start sched_wakeup --end sched_switch --key trace.pid=next_pid --task trace.pid)
{
	header
	both_events
	tracing
	comm 1 1 t1
	comm 40 42 t2
	wakeup 100 0 1 42
	switch 150 0 1 42
	wakeup 160 0 42 1
	wakeup 170 0 42 1
	switch 200 0 42 1
	wakeup 300 0 1 42
	finish
} | assemble >two.pk
pk-span -v "${both[@]}" two.pk >out.pk 2>err
show out.pk
grep -E 'pk:|starts?$|spans?$|ended$' err
pk-script --json -q out.pk | grep -o '"event":"pk:delay","pid":[0-9]*\|"pid":40,"tid":42.*pk:delay' | sort | uniq -c
for again in replace keep nest; do
	echo "== again $again"
	pk-span --name delay --start sched_wakeup --end sched_switch --key trace.pid=next_pid --again $again two.pk >out.pk 2>err
	cat err
	show out.pk | grep pk:delay
done
echo "== level: the number of open spans, a sum, of the start only, with spans that are replaced, and dropped"
{
	header
	both_events
	tracing
	wakeup 100 1 2 5
	wakeup 110 2 2 6
	wakeup 120 3 2 7
	switch 130 0 1 6
	wakeup 140 4 2 5
	switch 150 0 1 5
	wakeup 160 0 2 8
	finish
} | assemble >levels.pk
levels=(--start sched_wakeup --end sched_switch --key trace.pid=next_pid --unfinished)
pk-span -q "${levels[@]}" --level 1 levels.pk | show | grep -o 'pid=.*'
pk-span -q "${levels[@]}" --level target_cpu levels.pk | show | grep -o 'pid=.*'
pk-span -q "${levels[@]}" --open 2 --level target_cpu levels.pk | show | grep -o 'pid=.*'
for wrong in next_pid trace.comm; do
	pk-span -q "${levels[@]}" --level $wrong levels.pk >out.pk 2>err
	cat err
done
echo "== cancel"
{
	header
	both_events
	tracing
	wakeup 100 0 2 1 # a task that runs is woken
	switch 150 0 1 2
	wakeup 190 0 2 1
	switch 200 0 2 1
	finish
} | assemble >stray.pk
pk-span -v --start sched_wakeup --end sched_switch --key 'trace.pid|prev_pid=next_pid' --again keep --cancel sched_switch \
	--cancel-where 'prev_pid == 1' stray.pk 2>err | show
grep -E 'cancel|starts|spans' err

# exit_of TIME TID: an EXIT record
exit_of()
{
	echo "EXIT pid=$2 ppid=1 tid=$2 ptid=1 time=${1}000 $(trailer "$2" "${1}000")"
}
# fork_of TIME TID
fork_of()
{
	echo "FORK pid=$2 ppid=1 tid=$2 ptid=1 time=${1}000 $(trailer "$2" "${1}000")"
}
trailer()
{
	echo "trailer.pid=$1 trailer.tid=$1 trailer.time=$2 trailer.cpu=0 trailer.id=9"
}
try_ends()
{
	{
		header
		both_events
		tracing
		wakeup 90 0 1 2
		switch 100 0 1 2
		wakeup 105 0 2 7
		exit_of 110 2
		switch 120 0 2 3 # the last one of the task, after its EXIT
		wakeup 130 0 3 8
		exit_of 140 8
		fork_of 150 8
		switch 160 0 3 8 # a new task with the tid
		exit_of 170 7
		wakeup 1200000 0 3 9
		finish
	} | assemble >ends.pk
	pk-span -v --name delay --start sched_wakeup --end sched_switch --key trace.pid=next_pid "$@" ends.pk 2>err | show
	grep -vE '^pk-span: pk' err
}
echo "== tasks that end"
try_ends
echo "== with --unfinished"
try_ends --unfinished
echo "== a key of several fields"
try_ends --key target_cpu=prev_prio
exit 0
