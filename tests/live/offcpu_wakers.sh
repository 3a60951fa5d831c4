# SPDX-License-Identifier: BSD-2-Clause
# --off-cpu=wakers: the tasks that end the blocks, with their stacks.
. "$PK_TOP/tests/live/fold.bash"

${CC:-cc} -std=gnu11 -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -pthread \
	-o cases "$PK_TOP/tests/live/critical_cases.c" >compile.err 2>&1 || fail "$(cat compile.err)"
pk-record -q --off-cpu=wakers -e dummy -o probe.pk -- true 2>err || skip "off-CPU time cannot be recorded here: $(tail -n 1 err)"
kernel_has_names || skip 'the functions of the kernel have no names'

# wakers CASE: records the case, and folds the joined stacks to the file folded. Sets the variable all to the blocked time.
wakers()
{
	for _ in 1 2 3 4; do
		pk-record --off-cpu=wakers -e dummy --call-graph auto -o rec.pk -- ./cases "$1" >said 2>err || fail "$1: $(cat err)"
		grep -q -e missing -e ' lost' err || break
	done
	! grep -q -e missing -e " lost" err || skip "incomplete: $(tail -n 1 err)"
	check rec.pk
	pk-symbolize -q rec.pk >named.pk
	pk-fold -q --event offcpu-time named.pk >folded
	all=$(weight '.*')
	pk-fold -q --event pk:waker named.pk >wakers
	pk-span offwake named.pk 2>err | pk-fold -q --event pk:offwake --weight trace.period >folded || fail "$1: $(cat err)"
}

# share REGEX: at least 80 % of the blocked time. On a busy machine, threads also wait for others.
share()
{
	[ $(($(weight "$1") * 100)) -ge $((all * 80)) ] || fail "$2: only $(weight "$1") of $all ns are $1: $(cut -c1-400 folded)"
}

wakers conditions
share 'cases;.*;conditions;.*;--;cases;.*(run_producer|exit).*' conditions
[ "$(awk '{ n += $NF } END { printf "%.0f\n", n }' wakers)" -le "$all" ] || fail "more than was blocked: $(cat wakers)"
wakers timers
share 'cases;.*;timers;.*nanosleep.*;--;.*;hrtimer_wakeup(;.*)?' timers

# The stacks begin at the function that has called the tracepoint. A waker may be interrupted in functions of BPF.
! grep -q -E ';bpf_[^;]* [0-9]+$' wakers || fail "frames of the BPF program: $(cut -c1-300 wakers)"

# A waker that is not recorded has its name, too.
mkfifo pipe
dd if=/dev/zero of=pipe bs=1 count=5000 2>/dev/null &
pk-record -q --off-cpu=wakers -e dummy -g -o rec.pk -- cat pipe >copied 2>err || fail "cat: $(cat err)"
wait
[ "$(wc -c <copied)" = 5000 ] || fail "cat has read $(wc -c <copied) bytes"
pk-symbolize -q rec.pk | pk-span offwake | pk-fold -q --event pk:offwake >folded
grep -q '^cat;.*;--;dd;' folded || fail "no waker of another program: $(cut -c1-300 folded)"

for wrong in --off-cpu=waker --off-cpu=wakers,often '--off-cpu=wakers,'; do
	pk-record $wrong -e dummy -- true >out 2>err
	[ $? = 2 ] && [ ! -s out ] || fail "$wrong: not a usage error: $(cat err)"
done
pk-record -q --off-cpu=wakers,1h -e dummy -o none.pk -- ./cases timers >said || fail 'with a time'
check none.pk
[ "$(records $SAMPLE)" = 0 ] || fail "short blocks are not left out: $(records $SAMPLE)"
exit 0
