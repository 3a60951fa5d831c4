# SPDX-License-Identifier: BSD-2-Clause
# The names and arguments of system calls, from the formats of sys_enter_NAME, for a 64-bit big-endian and a 32-bit machine.
. "$PK_TOP/tests/cli/pk-span/switches.bash"

# call TIME ID BYTES: a sample of an event
call()
{
	echo "SAMPLE misc=(user) id=$2 ip=0x1000 pid=5 tid=5 time=${1}000 cpu=0 period=1"
	echo "  raw={$3}"
}

# try NAME ORDER SWITCH WRITE SIZE: IDs of sched_switch, which stands for the end, and of sys_enter_write; the size of a long
try()
{
	formats=$PK_TOP/tests/data/tracing.$1
	{
		echo "BEGIN byte_order=$2"
		one_event 9 "$3" 'IDENTIFIER IP TID TIME CPU PERIOD RAW'
		one_event 8 "$4" 'IDENTIFIER IP TID TIME CPU PERIOD RAW'
		tracing
		call 100 8 "2:$4 1:0 1:0 4:5 4:4 ${6-}$5:1 $5:0xbee000 $5:77 ${7-}"
		call 150 9 "2:$3 1:0 1:0 4:5 8:0 8:0 4:5 4:0 $5:1 8:0 8:0 4:6 4:0"
		call 200 8 "2:$4 1:0 1:0 4:5 4:4 ${6-}$5:0 $5:0 $5:5"
		call 210 9 "2:$3 1:0 1:0 4:5 8:0 8:0 4:5 4:0 $5:1 8:0 8:0 4:6 4:0"
	} | assemble | pk-span -q --start 'sys_enter_*' --end sched_switch --key tid --carry call,args --name call | show
}
try s390x big 252 610 8 '4:0 '
try armhf little 221 742 4 '' "4:$((28 | 4 << 16)) 1:104 1:105 1:34 1:0 4:0" # the text in buf: hi"
exit 0
