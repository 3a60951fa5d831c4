# SPDX-License-Identifier: BSD-2-Clause
# A sample with the values of a group counts for each event whose counter grew, as in text and in folded stacks.
. "$PK_TOP/tests/cli/stream.bash"

# leader or member ID CONFIG: an event whose samples carry the values and ids of its group
group_event()
{
	{
		nums 44888888 1 64 "$2" 1000 $((0x10000 | 0x117)) $((4 | 8)) $((1 << 18)) 0
		num 8 0
		num 8 "$1"
	} | record 64 0
}

# group_sample TIME VALUE VALUE: of the leader and the member
group_sample()
{
	nums 8844888 7 4096 5 5 "$1" 1000 2
	nums 8888 "$2" 7 "$3" 8
}

{
	header
	group_event 7 0
	group_event 8 2
	name 7 cpu-clock
	name 8 page-faults
	comm 5 5 prog
	group_sample 100 1500 3 | record 9 2
	group_sample 200 2500 3 | record 9 2
	group_sample 300 4000 10 | record 9 2
	nums 8844 7 4096 5 5 | record 9 2
} >group.pk
pk-script -F event,period group.pk 2>&1
pk-fold --by event group.pk 2>&1
pk-fold --by event --event page-faults group.pk 2>&1
pk-script --stats group.pk
pk-script --stats --json group.pk
# Each session's counters start at 0.
pk-script --stats group.pk group.pk 2>/dev/null | grep -A 3 '  event '
