# SPDX-License-Identifier: BSD-2-Clause
# A task executes another program during a span. The span has the new name and the stack of its end, before and after pk-symbolize.
. "$PK_TOP/tests/cli/pk-span/switches.bash"
chain()
{
	echo "ips[0]=(kernel) ips[1]=0xffffffff81000000 ips[2]=(user) ips[3]=$1"
}
# task PID NAME TIME: a COMM record of an exec
task()
{
	echo "COMM misc=0x2000 pid=$1 tid=$1 comm=\"$2\" trailer.id=9 trailer.time=${3}000 trailer.pid=$1 trailer.tid=$1"
}
{
	header
	both_events CALLCHAIN
	session
	tracing
	comm 1 1 make
	comm 2 2 other
	maps 1 0x1000 0x1000 /x/make
	# shellcheck disable=SC2046 # several words
	wakeup 100 0 1 7 $(chain 0x1010)
	# shellcheck disable=SC2046 # several words
	wakeup 110 1 2 7 $(chain 0x3010)
	task 1 clang 120
	maps 1 0x2000 0x1000 /x/clang
	# shellcheck disable=SC2046 # several words
	switch 200 1 1 2 1 $(chain 0x2020)
	# shellcheck disable=SC2046 # several words
	switch 210 1 2 1 1 $(chain 0x3020)
	finish
} | assemble >exec.pk
span=(--start sched_wakeup --end sched_switch --key tid)
names=(--symfs /nonexistent --kallsyms /dev/null)
pk-span -q "${span[@]}" exec.pk | pk-symbolize -q "${names[@]}" >before.pk
pk-symbolize -q "${names[@]}" exec.pk | pk-span -q "${span[@]}" >after.pk
for file in before after; do
	echo "== pk-span $file pk-symbolize"
	pk-fold -q --event span $file.pk
	pk-report -q --by comm,tid,cpu --csv $file.pk
done
echo "== both stacks"
pk-symbolize -q "${names[@]}" exec.pk | pk-span -q "${span[@]}" --stack both | pk-fold -q --event span
exit 0
