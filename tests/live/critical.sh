# SPDX-License-Identifier: BSD-2-Clause
# long
# pk-span critical: programs whose critical path is known.
. "$PK_TOP/tests/live/fold.bash"

may_record_all || skip "not allowed to record everything: $(head -n 1 all.err)"
kernel_has_names || skip 'the functions of the kernel have no names'
${CC:-cc} -std=gnu11 -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -pthread \
	-o cases "$PK_TOP/tests/live/critical_cases.c" >compile.err 2>&1 || fail "$(cat compile.err)"

# path CASE: records the case, and folds the path of its main thread to the file folded.
path()
{
	# A busy machine can lose samples, which are counted. Then it is recorded again.
	for _ in 1 2 3 4; do
		[[ $1 != @(disk|faults|uring_disk) ]] || ./cases setup || fail 'the file of the cases cannot be written'
		pk-record -a -g -e why -e cpu-clock -m 8M -o rec.pk -- ./cases "$1" >said 2>rec.err || {
			[ $? != 77 ] || return 77
			fail "$1: $(cat rec.err)"
		}
		grep -q ' lost' rec.err || break
	done
	! grep -q " lost" rec.err || skip "samples are lost: $(tail -n 1 rec.err)"
	pk-symbolize -q rec.pk | pk-span critical >path.pk 2>err || fail "$1: $(cat err)"
	check path.pk
	pk-filter -q --event pk:critical path.pk | pk-script -q --json |
		sed -n 's/.*"kind":"\([a-z_]*\)","start":\([0-9]*\),"duration":\([0-9]*\),.*/\2 \3 \1/p' >pieces
	[ -s pieces ] || fail "$1: no pieces: $(cat err)"
	# Each moment belongs to one piece.
	awk 'NR > 1 && $1 != end { print "gap or overlap in line", NR; bad = 1 } { end = $1 + $2; sum += $2 }
		NR == 1 { first = $1 } END { if (sum != end - first) { print "sum", sum, end - first; bad = 1 }; exit bad }' pieces >gaps ||
		fail "$1: $(cat gaps)"
	all=$(awk '{ n += $2 } END { printf "%.0f\n", n }' pieces)
	[ "$all" -ge "$(cut -d ' ' -f 2 said)" ] || fail "$1: the path is shorter than the program: $all, $(cat said)"
	pk-fold -q --event pk:critical --by trace.kind path.pk >folded || fail "$1: cannot be folded"
}

# share KIND NAME: returns true if at least 95 % of the case's time is in its function, and has this kind (a regular
# expression). The time in which other functions wait for a processor is left out, and so is the start of the program. On a busy
# machine, these times can be long.
share()
{
	local found rest function left
	function=$(cut -d ' ' -f 1 said)
	grep -vE "^kind=cpu;" folded >others
	[ "$1" != cpu ] || grep -E "^kind=cpu;(.*;)?$function(;.*)? [0-9]" folded >>others
	mv others folded
	found=$(weight "kind=$1;(.*;)?$function(;.*)?")
	left=$((all - $(weight '.*')))
	rest=$(($(cut -d ' ' -f 2 said) - left))
	echo "$2: $found of $rest ns in $function, $1, apart from $left of $all ns" >&2
	[ $rest -gt 0 ] && [ $((found * 100)) -ge $((rest * 95)) ]
}

# In the path are also events that other programs cause, such as an interrupt of all processors. One of four recordings
# must be without them.
lacking=
for name in pipeline=run convoy=run client=run child=run conditions=run uring_pipe=run signals=run disk='(disk|run)' \
	uring_disk='(disk|io_uring|run)' faults='(disk|fault|run)' starvation=cpu inversion=cpu timers=timer; do
	for try in 1 2 3 4; do
		path "${name%=*}" || { lacking+=" ${name%=*}: $(cat said)"; continue 2; }
		share "${name#*=}" "${name%=*}" && continue 2
	done
	fail "${name%=*}: in each of $try recordings, less than 95 % are in its function:" "$(cut -c1-300 folded | head -n 40)"
done

# The path of a thread that is given.
pk-symbolize -q rec.pk >named.pk
tid=$(pk-filter -q --event pk:critical path.pk | pk-script -q -F tid -G | awk 'NR == 1 { print $1 }')
pk-span critical --critical="$tid" named.pk -o given.pk 2>err || fail "--critical=$tid: $(cat err)"
pk-fold -q --event pk:critical --by trace.kind given.pk | grep -q '^kind=timer;' || fail '--critical=TID: no timers'

# The command of perf record, in a file of perf.
if perf record -q --no-bpf-event -a -g -e sched:sched_switch,sched:sched_waking,sched:sched_wakeup_new -o perf.data -- \
	./cases timers >said 2>err; then
	pk-symbolize -q perf.data | pk-span critical -o of_perf.pk 2>err || fail "perf.data: $(cat err)"
	pk-fold -q --event pk:critical --by trace.kind of_perf.pk >folded
	[ "$(weight '.*')" -ge "$(cut -d ' ' -f 2 said)" ] || fail "perf.data: $(weight '.*') ns, not those of the program: $(cat said)"
	grep -q '^kind=timer;' folded || fail "perf.data: no timers: $(cut -c1-200 folded)"
else
	lacking+=" perf.data: $(tail -n 1 err)"
fi

# The path of each request: all its pieces together are as long as the request.
pk-record -a -g -e why -e cpu-clock -m 8M -x ./cases --probe serve --probe 'serve%return' -o rec.pk -- ./cases client >said 2>err ||
	skip "no probes here: $(tail -n 1 err)"
pk-symbolize -q rec.pk | pk-span -q functions --pass | pk-span critical --critical-of pk:function >path.pk 2>err || fail "requests: $(cat err)"
check path.pk
pk-filter -q --event pk:critical path.pk | pk-script -q --json |
	sed -n 's/.*"duration":\([0-9]*\),"depth":[0-9]*,"span":\([0-9]*\),"span_duration":\([0-9]*\).*/\1 \2 \3/p' |
	awk '{ sum[$2] += $1; all[$2] = $3 }
		END { for (i in sum) { n++; if (sum[i] != all[i]) exit 1 }; print n; exit n < 25 || n > 30 }' >requests ||
	fail "not the paths of 30 requests: $(cat requests err)"
# Each request is a sample, whose times add up to its duration.
pk-filter -q --event pk:request path.pk | pk-script -q --json |
	sed -n 's/.*"span":\([0-9]*\),.*"duration":\([0-9]*\),"run_time":\([0-9]*\),"cpu_wait":\([0-9]*\),"blocked_time":\([0-9]*\).*/\1 \2 \3 \4 \5/p' |
	awk '$2 != $3 + $4 + $5 || $1 != NR { exit 1 } END { print NR }' >counted || fail "wrong sums of requests"
cmp requests counted || fail "not as many requests as paths: $(cat requests counted)"
pk-report -q -e pk:request --by process --show 'samples,p50(duration),p99(run_time)' path.pk >table 2>err || fail "percentiles: $(cat err)"
pk-span critical --critical-of pk:none named.pk -o none.pk 2>err && fail 'an event that does not exist'
grep -q 'no samples of this event' err || fail "no message: $(cat err)"

pk-record -q -a -e cpu-clock -o none.pk -- true
pk-span critical rec.pk -o raw.pk 2>err && fail 'an input without names'
grep -q 'not symbolized: pk-symbolize must come before' err || fail "an input without names: $(cat err)"
pk-symbolize -q none.pk | pk-span critical >out 2>err && fail 'an input without context switches'
grep -q 'no context switches' err || fail "no message: $(cat err)"
[ -z "$lacking" ] || skip "all but these cases:$lacking"
