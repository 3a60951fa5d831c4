# SPDX-License-Identifier: BSD-2-Clause
# pk-span critical --critical-of: requests between two markers (USDT) in different threads, with an id.
. "$PK_TOP/tests/live/fold.bash"

may_record_all || skip "not allowed to record everything: $(head -n 1 all.err)"
kernel_has_names || skip 'the functions of the kernel have no names'
[ -e /sys/bus/event_source/devices/uprobe ] || skip 'this kernel has no uprobes'
[ "$(uname -m)" = x86_64 ] || skip 'the markers of the program are for x86_64'
# The built program may have no frame pointers.
${CC:-cc} -std=gnu11 -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -pthread \
	-o requests "$PK_TOP/tests/live/requests.c" >compile.err 2>&1 || fail "$(cat compile.err)"
for _ in 1 2 3 4; do
	pk-record -a -g -e why -e cpu-clock -m 8M -x ./requests --probe server:begin --probe server:end -o rec.pk -- ./requests >said 2>err ||
		fail "$(cat err)"
	grep -q ' lost' err || break
done
! grep -q " lost" err || skip "samples are lost: $(tail -n 1 err)"
pk-symbolize -q rec.pk >named.pk
# The path goes back from the end of a request, so the thread of a span is that of its end.
pk-span --name served --start sdt_server:begin --end sdt_server:end --key arg1 --stack end --pass named.pk 2>err |
	pk-span critical --critical-of pk:served --critical-id arg1 -o path.pk 2>>err || fail "$(cat err)"
check path.pk

# Each request has the duration that the program has measured around the markers, and its parts add up to it.
pk-filter -q --event pk:request path.pk | pk-script -q --json |
	sed -n 's/.*"duration":\([0-9]*\),"run_time":\([0-9]*\),"cpu_wait":\([0-9]*\),"blocked_time":\([0-9]*\),"id":"\([0-9]*\)".*/\5 \1 \2 \3 \4/p' >requests.txt
awk 'NR == FNR { measured[$1] = $3; next }
	$2 != $3 + $4 + $5 { print "parts:", $0; bad = 1 }
	$2 > measured[$1] { print "too long:", $0, measured[$1]; bad = 1 }
	{ found += $2; all += measured[$1]; n++ }
	END { if (n != 30 || found < all * 0.9) { print n " requests, " found " of " all " ns"; bad = 1 }; exit bad }' said requests.txt >wrong ||
	fail "not the requests of the program: $(cat wrong)"

# Each request has its own stacks. The time in which threads wait for a processor is left out.
pk-fold -q --event pk:critical --by trace.id,trace.kind path.pk >folded
awk '{ id = $1; sub(/.*id=/, "", id); sub(/[;,].*/, "", id); n = $NF }
	/kind=cpu/ { next }
	{ all[id % 3] += n }
	id % 3 == 0 && /kind=run/ && /;compute(;| )/ { good[0] += n }
	id % 3 == 1 && /kind=timer/ { good[1] += n }
	id % 3 == 2 && /kind=run/ && /;hold_lock(;| )/ { good[2] += n }
	END { for (i = 0; i < 3; i++) { print i, good[i], all[i]; if (good[i] < all[i] * 0.9 || !all[i]) bad = 1 }; exit bad }' folded >shares ||
	fail "requests of one of the kinds have other stacks: $(cat shares; cut -c1-200 folded | head -n 40)"
cat shares >&2

pk-report -q -e pk:request --by trace.id --show 'max(duration)' path.pk >table || fail 'no table by id'
[ "$(awk 'NR == 1 { print $2 }' table)" = "$(sort -k2,2nr requests.txt | awk 'NR == 1 { print $1 }')" ] || fail "not the slowest request: $(head -n 3 table)"
pk-span critical --critical-of pk:served --critical-id no_such named.pk -o none.pk 2>err && fail 'no spans'
grep -q 'no samples of this event' err || fail "no message: $(cat err)"
pk-span --name served --start sdt_server:begin --end sdt_server:end --key arg1 --stack end --pass -q named.pk >spans.pk
pk-span critical --critical-of pk:served --critical-id no_such spans.pk -o none.pk 2>err && fail 'an id that no span has'
grep -q 'no event has a field called no_such' err || fail "no message: $(cat err)"
pk-span critical --critical-id arg1 spans.pk >out 2>err
[ $? = 2 ] && [ ! -s out ] || fail "an id without spans: $(cat err)"
exit 0
