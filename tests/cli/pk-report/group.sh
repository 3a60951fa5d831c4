# SPDX-License-Identifier: BSD-2-Clause
# The events of a group side by side.
. "$PK_TOP/tests/cli/pk-report/symbolized.bash"
symbolized | assemble >all.pk
try --group all.pk
try -q --group --no-children -n all.pk
try -q --group --no-children -t , -n all.pk
try -q --group --percent-limit=20 all.pk
try -q --group --no-children --percent-limit=0.1 --by=cpu,comm all.pk
try -q --group --no-children --order=share:asc --by=symbol --limit=3 all.pk
try -q --group --show='samples,max(period),p50(time),distinct(tid)' --by=dso all.pk
try --group --csv --show='share,samples,max(period)' --by=dso all.pk
try --group --json --show='share,samples,max(period)' --by=dso all.pk
try -q --group -g caller,0 --by=symbol all.pk
try --group --by=event,comm all.pk
try -q --group --event=cycles --by=symbol all.pk
try -q --merge-events --no-children --show=samples,period --by=symbol all.pk
try --merge-events --csv --show=samples,period --by=symbol all.pk
try -q --merge-events --no-children --show=samples --by=event,symbol all.pk
try --merge-events --group all.pk

# The first two of three events were recorded as a group.
grouped()
{
	header
	event_of 7 'CPU PERIOD CALLCHAIN'
	event_of 8 'CPU PERIOD CALLCHAIN'
	event_of 9 'CPU PERIOD CALLCHAIN'
	session "1"
	name 7 cpu-clock
	name 8 cycles
	name 9 faults
	feature GROUP_DESC 'group[0].name="{anon_group}" group[0].leader=0 group[0].members=2'
	strings prog main f
	frame 1 1 256
	frame 2 2 2
	frame 3 3 2
	stack 1 0 1
	stack 2 1 2
	stack 3 2 3
	deep 7 1 2 30 1000
	deep 8 1 3 5 2000
	deep 9 1 3 1 3000
	deep 7 1 3 10 4000
	deep 8 1 2 2 5000
	finish
}
grouped | assemble >grouped.pk
try --group --no-children grouped.pk
try --group --csv --show=samples --by=symbol grouped.pk
try --group --json --show=samples --by=symbol grouped.pk

# More events than a table can have.
many()
{
	local i
	header
	for i in $(seq 1 70); do event_of $i 'CPU PERIOD CALLCHAIN'; done
	session "1"
	for i in $(seq 1 70); do name $i event$i; done
	strings prog main
	frame 1 1 256
	frame 2 2 2
	stack 1 0 1
	stack 2 1 2
	for i in $(seq 1 70); do deep $i 1 2 $i $((1000 * i)); done
	finish
}
many | assemble >many.pk
pk-report --group --no-children --by=symbol many.pk | grep '^# Samples'
try --group --csv --show=period --by=symbol many.pk
