# SPDX-License-Identifier: BSD-2-Clause
# A field that no event can have is reported as soon as events and formats are known, with the most similar name.
. "$PK_TOP/tests/cli/stream.bash"
formats=$PK_TOP/tests/data/tracing.x86_64
tracepoint()
{
	echo 'HEADER_ATTR attr_type=2 config=310 sample_period=1 id=9'
	echo '  sample_type=(IDENTIFIER IP TID TIME PERIOD RAW) flags=(sample_id_all)'
}
{
	header
	tracepoint
	echo "TRACING_DATA payload_size=$(wc -c <"$formats") payload=@$formats"
	maps 5 0x400000 0x1000 /bin/prog
} | assemble >formats.pk
{
	header
	tracepoint
	maps 5 0x400000 0x1000 /bin/prog
} | assemble >without.pk
{
	header
	event 1 7
	name 7 cpu-clock
	comm 5 5 prog
	sample 7 5 0x1000
} | assemble >plain.pk

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
late pk-fold -q --by sched_wakeup.pid plain.pk
