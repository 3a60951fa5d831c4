# SPDX-License-Identifier: BSD-2-Clause
# Spans during which records were lost, and with the processor in the key: on that processor or of the task.
. "$PK_TOP/tests/cli/pk-span/switches.bash"
# lost_at TIME CPU TID: the trailer of the first event
lost_at()
{
	echo "LOST id=9 lost=5 trailer.id=9 trailer.time=${1}000 trailer.cpu=$2 trailer.tid=$3 trailer.pid=$3"
}
{
	header
	both_events
	session
	tracing
	switch 100 0 1 0
	switch 110 1 2 0
	switch 120 2 3 0
	lost_at 150 0 7 # processor of task 1's start
	switch 200 3 0 1 0
	switch 210 1 0 2 0
	switch 300 1 2 0
	lost_at 310 4 3 # task 3
	switch 320 2 0 3 0
	switch 330 5 4 0
	lost_at 340 6 7 # processor of task 4's end
	switch 350 6 0 4 0
	switch 400 1 0 2 0
	echo 'LOST_SAMPLES lost=9 trailer.cpu=1' # without a time: all of the recording
	switch 410 5 4 0
	switch 420 5 0 4 0
	switch 500 2 6 0
	switch 510 2 0 6 0
	switch 520 2 7 0
	lost_at 525 2 9
	switch 530 2 0 7 0
	finish
} | assemble >lost.pk
pk-span "${offcpu[@]}" --carry start.cpu,end.cpu lost.pk >out.pk
echo "status $?"
show out.pk | sed -E 's/ duration=[0-9]+//'
pk-span -q --start sched_switch --start-where 'prev_state != 0' --end sched_switch --key cpu,prev_pid=next_pid lost.pk | show -
pk-filter --where 'trace.gap == 1' out.pk | pk-script -q -F event | sort | uniq -c
pk-span -q --fail-on lost "${offcpu[@]}" lost.pk >out.pk
echo "status $?"
pk-span -q --fail-on spans "${offcpu[@]}" lost.pk >out.pk
echo "status $?"
exit 0
