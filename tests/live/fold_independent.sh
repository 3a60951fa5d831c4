# SPDX-License-Identifier: BSD-2-Clause
# What pk-fold makes of live recordings, beside tests/corpus/refold.pl, which folds what pk-script --json prints of them:
# latency of threads and processes, off-CPU time, control groups; and stacks that come while a recording goes on.
. "$PK_TOP/tests/live/fold.bash"
command -v perl >/dev/null || skip "no perl"
compile work.c work -lpthread || fail "$(cat compile.err)"

# alike NAME [OPTION...]
alike()
{
	local name=$1
	shift
	pk-fold -q "$@" "$name.pk" >folded 2>err || fail "pk-fold $*: status $?: $(cat err)"
	perl "$PK_TOP/tests/corpus/refold.pl" "$@" "$name.json" >expected 2>err || fail "refold.pl $*: $(cat err)"
	[ -s expected ] || fail "$name: $*: nothing is expected"
	cmp -s expected folded ||
		fail "$name: $*:" "$(diff expected folded | cut -c1-300 | head -n 10)"
}

# symbolize NAME
symbolize()
{
	pk-symbolize -q "$1.rec" >"$1.pk" 2>err || fail "$1: $(cat err)"
	pk-script -q --json "$1.pk" >"$1.json" 2>err || fail "$1: $(cat err)"
}

# Threads and processes that run beside each other, and alone.
pk-record -q -e $event -F 999 -g --switch-events -o tasks.rec -- bash -c './work threads & ./work calls & wait; ./work recursion' \
	2>err || fail "$(cat err)"
symbolize tasks
alike tasks --weight=latency
alike tasks --weight=latency --by=pid,tid,cpu,host
alike tasks --by=comm,pid,tid --weight=samples
alike tasks --weight=period --lines --modules --suffixes
# No more time passed than the clock says, and all that ran alone counts whole.
passed=$(perl -ne '/"type":"SAMPLE".*?"time":(\d+)/ and $first //= $1, $last = $1; END { print $last - $first }' tasks.json)
pk-fold -q --weight=latency tasks.pk >folded
[ "$(weight '.*')" -le $((passed * 12 / 10)) ] || fail "latency: $(weight '.*') ns, but $passed passed"
shows work 'main;recurse' 40

# Blocked for a third of a second.
if pk-record -q -e $event -g --off-cpu -o blocked.rec -- bash -c './work calls; sleep 0.3' 2>err; then
	symbolize blocked
	alike blocked --event=offcpu-time
	alike blocked --event=offcpu-time --by=tid,comm --sort=weight
	alike blocked --by=event,comm --weight=period
	pk-fold -q --event=offcpu-time blocked.pk >folded
	[ "$(weight 'sleep;.*')" -ge 300000000 ] || fail "sleep was blocked for" "$(cat folded)"
	[ "$(weight 'sleep;.*')" -le 30000000000 ] || fail "sleep was blocked for" "$(cat folded)"
	pk-fold -v blocked.pk 2>&1 >/dev/null | grep -q "weights are nanoseconds of $event" || fail "another event is the first"
else
	echo "off-CPU time was not tried: $(head -n 1 err)" >&2
fi

# Control groups.
if may_record_all && pk-record -q -a -e cpu-clock -F 199 -g --all-cgroups --for 300ms -o groups.rec 2>err; then
	symbolize groups
	alike groups --by=cgroup
	alike groups --by=event,cgroup,comm,cpu
else
	echo "control groups were not tried: $(head -n 1 err)" >&2
fi

# A line can be read long before the recording ends.
mkfifo lines
pk-record -q -e $event -F 199 -g -- ./work calls calls calls calls calls calls calls calls calls calls calls calls 2>err |
	pk-symbolize -q 2>>err | pk-fold -q --live=100ms >lines 2>>err &
exec 3<lines
read -r -t 60 line <&3 || fail "nothing is printed: $(cat err)"
[[ $line =~ ^#\ [0-9]+:[0-9]{2}:[0-9]{2}\.[0-9]{3}\ of\  ]] || fail "$line"
read -r -t 60 line <&3 || fail "no stack is printed: $(cat err)"
[[ $line =~ \ [0-9]+$ ]] || fail "$line"
blocks=$(grep -c '^$' <&3)
wait
[ "$blocks" -ge 2 ] || fail "$blocks times something was printed"
exit 0
