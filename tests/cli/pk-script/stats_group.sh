# SPDX-License-Identifier: BSD-2-Clause
# little-endian: what is printed about streams of the other byte order
# A sample with the values of a group counts for each event whose counter grew, as in text and in folded stacks.
. "$PK_TOP/tests/cli/stream.bash"

# leader or member ID CONFIG: an event whose samples carry the values and ids of its group
group_event()
{
	event_of "$1" 'READ PERIOD' 'read_format=(ID GROUP)' config="$2"
}

# group_sample TIME VALUE VALUE: of the leader and the member
group_sample()
{
	sample_of user 7 5 0x1000 time="$1" period=1000 "read[0].value=$2 read[0].id=7 read[1].value=$3 read[1].id=8"
}

{
	header
	group_event 7 0
	group_event 8 2
	name 7 cpu-clock
	name 8 page-faults
	comm 5 5 prog
	group_sample 100 1500 3
	group_sample 200 2500 3
	group_sample 300 4000 10
	echo 'SAMPLE misc=(user) id=7 ip=0x1000 pid=5 tid=5 size=32'
} | assemble >group.pk
pk-script -F event,period group.pk 2>&1
pk-fold --addresses --by event group.pk 2>&1
pk-fold --addresses --by event --event page-faults group.pk 2>&1
pk-script --stats group.pk
pk-script --stats --json group.pk
# Each session's counters start at 0.
pk-script --stats group.pk group.pk 2>/dev/null | grep -A 3 '  event '
