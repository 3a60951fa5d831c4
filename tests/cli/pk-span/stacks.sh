# SPDX-License-Identifier: BSD-2-Clause
# The callchain and the stack of spans, before and after pk-symbolize.
. "$PK_TOP/tests/cli/pk-span/switches.bash"
chain()
{
	echo "ips[0]=(kernel) ips[1]=0xffffffff81000000 ips[2]=(user) ips[3]=$1"
}
{
	header
	both_events CALLCHAIN
	session
	tracing
	comm 1 1 t1
	comm 2 2 t2
	maps 1 0x1000 0x1000 /x/one
	maps 2 0x1000 0x1000 /x/two
	# shellcheck disable=SC2046 # several words
	switch 100 0 1 2 1 $(chain 0x1010)
	# shellcheck disable=SC2046 # several words
	switch 200 0 2 1 0 $(chain 0x1020)
	finish
} | assemble >chains.pk
for side in start end; do
	for order in before after; do
		echo "== stack of the $side, $order pk-symbolize"
		if [ $order = before ]; then
			pk-span "${offcpu[@]}" --stack $side chains.pk | pk-symbolize -q --symfs /nonexistent --kallsyms /dev/null
		else
			pk-symbolize -q --symfs /nonexistent --kallsyms /dev/null chains.pk | pk-span "${offcpu[@]}" --stack $side
		fi >out.pk
		pk-fold -q --event span out.pk
		pk-script --json out.pk 2>/dev/null | grep -o '"ips":[^]]*]'
	done
done

# Both stacks, of a sleeper and of the task that wakes it: the callchains are those of another stream, because the addresses have names here.
cat >kallsyms <<'K'
ffffffff81000000 T schedule
ffffffff81000100 T try_to_wake_up
ffffffff81000200 T futex_wait
ffffffff81000300 T futex_wake
ffffffff81000400 T _etext
K
sleeper()
{
	echo "ips[0]=(kernel) ips[1]=0xffffffff81000010 ips[2]=0xffffffff81000210 ips[3]=(user) ips[4]=0x1010"
}
waker()
{
	echo "ips[0]=(kernel) ips[1]=0xffffffff81000110 ips[2]=0xffffffff81000310 ips[3]=(user) ips[4]=$1"
}
{
	header
	both_events CALLCHAIN
	session
	tracing
	comm 1 1 t1
	comm 2 2 t2
	comm 3 3 t3
	maps 1 0x1000 0x1000 /x/one
	maps 2 0x1000 0x1000 /x/two
	maps 3 0x1000 0x1000 /x/three
	# shellcheck disable=SC2046 # several words
	{
		switch 100 0 1 2 1 $(sleeper)
		wakeup 200 1 2 1 $(waker 0x1020)
		switch 300 0 1 2 1 $(sleeper)
		wakeup 350 1 3 1 $(waker 0x1030)
		switch 400 0 1 2 1 $(sleeper)
		wakeup 410 1 2 1 $(waker 0x1020)
		switch 500 0 1 2 1 $(sleeper)
		wakeup 510 1 3 2 $(waker 0x1030)
	}
	finish
} | assemble >wakers.pk
both=(--start sched_switch --start-where 'prev_state != 0' --end sched_wakeup --key prev_pid=trace.pid --stack both)
pk-symbolize -q --symfs /nonexistent --kallsyms kallsyms wakers.pk >named.pk
echo "== both stacks"
pk-span -q "${both[@]}" named.pk >out.pk
pk-fold -q --event span out.pk
pk-script --json out.pk 2>/dev/null | grep -o '"ips":[^]]*]' | head -n 1
pk-script -q out.pk | sed -n '1,/^$/p'
pk-report -q --event span -g caller --no-children --by comm out.pk
echo "== the other samples keep their stacks"
pk-fold -q --event sched_wakeup out.pk
echo "== unfinished: one stack"
pk-span -q "${both[@]}" --unfinished named.pk | pk-filter --where 'trace.unfinished == 1' | pk-fold -q --event span
echo "== through another pk-span"
pk-span -q "${both[@]}" --name one named.pk | pk-span -q --start pk:one --end pk:one --key prev_pid --name two --stack both --pass | pk-fold -q --event two
echo "== not symbolized"
pk-span -q "${both[@]}" -o refused.pk wakers.pk 2>&1
echo $?
exit 0
