# SPDX-License-Identifier: BSD-2-Clause
# A field that no event can have is reported as soon as events and formats are known, with the most similar name.
. "$PK_TOP/tests/cli/stream.bash"
tracepoint()
{
	{
		nums 448888888 2 64 310 1 $((0x10507)) 0 $((1 << 18)) 0 0
		num 8 9
	} | record 64 0
}
{
	header
	tracepoint
	nums 42244 66 0 16 "$(wc -c <"$PK_TOP/tests/data/tracing.x86_64")" 0
	cat "$PK_TOP/tests/data/tracing.x86_64"
	nums 44888 5 5 0x400000 0x1000 0 >map
	{
		cat map
		text /bin/prog
		nums 44888 5 5 0 0 9
	} | record 1 2
} >formats.pk
{
	header
	tracepoint
	{
		cat map
		text /bin/prog
		nums 44888 5 5 0 0 9
	} | record 1 2
} >without.pk
{
	header
	event 1 7
	name 7 cpu-clock
	comm 5 5 prog
	sample 7 5 0x1000
} >plain.pk

# try PROGRAM OPTION...: an input that does not end
try()
{
	echo "$ $*"
	rm -f endless
	mkfifo endless
	exec 9<>endless
	cat "${file-plain.pk}" >&9
	{ "$@" <endless >out 9>&-; } 2>&1
	echo "status $?, $(wc -c <out) bytes"
	exec 9>&-
}

try pk-filter --where 'perod > 1k'
try pk-filter --where 'pid == 5 && (comm ~ "a*" || cpuu == 1)'
try pk-filter --where 'trace.pid == 5'
try pk-filter --split-by comn -o '%v.pk'
try pk-fold --by com
try pk-fold --weight=wieght
try pk-script -F comm,symof
try pk-script --json -F +data_page_sise
try pk-script -F something
file=formats.pk
try pk-filter --where 'next_pdi == 6'
try pk-filter --where 'sched_switch.nextpid == 6'
try pk-fold --by prev_com
try pk-script -F trace.prev_stat
unset file
# Other inputs, events and formats may have it: the end tells.
echo "== at the end"
late()
{
	echo "$ $*"
	{ "$@" >out; } 2>&1
	echo "status $?, $([ -s out ] && echo output)"
}
late pk-filter --where 'perod > 1k' plain.pk plain.pk
late pk-filter --where 'next_pid == 6' plain.pk formats.pk
late pk-filter --where 'perod > 1k' without.pk
late pk-filter --where 'sched_wakeup.pdi == 1' plain.pk
late pk-script -q -F perod plain.pk formats.pk
