# SPDX-License-Identifier: BSD-2-Clause
# What is wrong with options, and with names that no event has.
. "$PK_TOP/tests/cli/pk-span/switches.bash"
{
	header
	both_events
	tracing
	switch 100 0 1 2
	finish
} | assemble >one.pk
try()
{
	echo "\$ pk-span $*"
	# shellcheck disable=SC2069 # what is said, not what is written
	pk-span "$@" one.pk 2>&1 >out.pk
	echo "status $?"
}
try
try --start a
try --start a --end b
try --start-where 'pid == 1' --start a
try --start a --start-where 'pid == 1' --start-where 'pid == 2'
try --start a --start-where 'pid = 1'
try --start a --end b --key pid,
try --start a --end b --key =pid
try --start a --end b --key pid --carry ,
try --start a --end b --key pid --name 'a b'
try --start a --end b --key pid --stack neither
try --start a --end b --key pid --min fast
try --start a --end b --key pid --open 0
try --start a --end b --key pid --level 1 --level 1
try --start no_such --end sched_switch --key pid
try --start sched_switch --start no_such --end sched_switch --end 'sched_*' --end nor_this --key pid
try --start sched_wakeup --start sched_switch --end sched_switch --key pid # the first has no samples
try --start sched_switch --end sched_switch --key prev_pd
try --start sched_switch --end sched_switch --key prev_comm=next_pid
try --start sched_switch --end sched_switch --key pid --carry nothing
try --start sched_switch --start-where 'prev_stat == 0' --end sched_switch --key pid
{
	header
	one_event 9 "${ids[0]}" 'IDENTIFIER TID TIME CPU RAW'
	one_event 8 "${ids[1]}" 'IDENTIFIER TID CPU RAW'
	tracing
	echo 'SAMPLE id=8 pid=1 tid=1 cpu=1 raw={4:0}'
} | assemble >one.pk
try --start sched_switch --end sched_wakeup --key pid
try --start sched_switch --end 'sched_*' --key pid
try syscals
exit 0
