# SPDX-License-Identifier: BSD-2-Clause
# --by ignores a repeated field; fields of two events with the same name are two fields.
. "$PK_TOP/tests/cli/pk-span/switches.bash"
{
	echo BEGIN
	both_events
	tracing
	comm 5 5 five
	switch 1000 0 5 6
	wakeup 1100 0 6 5
} | assemble >in.pk
pk-fold -q --weight samples --by comm,tid,comm,tid in.pk
pk-fold -q --weight samples --by sched_switch.common_type,sched_wakeup.common_type in.pk
pk-fold -q --weight samples --by comm,pid,tid,cpu,time,event,mode,dso,symbol,period,ip,addr,cgroup,a,b,c,d,e in.pk
pk-export rows -q --by cpu,tid,cpu in.pk
