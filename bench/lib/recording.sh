# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154 # bench/run sets the variables
# Sourced by bench/run: the benchmarks of pk-record.

# record_with LABEL COMMAND...: one recording; appends "LOST SAMPLES CPU MB LOST-PERCENT CPU/MB" to $scratch/LABEL.
record_with()
{
	local label=$1 file=$dir/record-$1.tmp lost='-' samples='-' percent='-' cpu mb
	shift
	rm -f "$scratch/one"
	"$dir/measure" "$scratch/one" "$@" >"$file" 2>"$scratch/err" </dev/null ||
		failed "$label: $(tail -n 1 "$scratch/err")"
	if [ "$label" != ringcopy ]; then
		lost=$(value lost "$file") samples=$(value samples "$file")
		percent=$(calc %.2f "100 * $lost / ($lost + $samples + 1e-9)")
	fi
	cpu=$(awk '{ print $2 }' "$scratch/one")
	mb=$(calc %.1f "$(stat -c %s "$file") / 1e6")
	echo "$lost $samples $cpu $mb $percent $(calc %.6f "$cpu / ($mb + 1e-9)")" >>"$scratch/$label"
	rm -f "$file" "$file.census"
}

record_round()
{
	"$dir/mixture" $((length + 60)) "$(nproc)" &
	local load=$!
	sleep 0.3
	"$@"
	kill $load
	wait $load 2>/dev/null
}

# record_at HZ MODE: MODE is fp or dwarf. For the processor time, either bound is sufficient. It is compared for each
# MB, because a recorder that loses samples writes less.
record_at()
{
	local hz=$1 mode=$2 length=$seconds common="-a -e cpu-clock -F $1" own='' round label lost copy perf
	if [ "$mode" = dwarf ]; then
		common+=' --call-graph dwarf' own=dwarf length=$((seconds < 2 ? seconds : 2))
	else
		common+=' -g'
	fi
	echo "    -- $hz Hz, $mode --"
	echo "    pk:       \$ $bin/pk-record $common --for ${length}s >FILE"
	echo "    perf:     \$ perf record $common -o - sleep $length >FILE"
	echo "    ringcopy: \$ $dir/ringcopy $hz $length $own >FILE"
	echo "    beside each, until its end: $dir/mixture $((length + 60)) $(nproc); then $dir/census FILE"
	rm -f "$scratch/pk" "$scratch/perf" "$scratch/ringcopy"
	for ((round = 0; round < runs; round++)); do
		# shellcheck disable=SC2086 # words on purpose
		record_round record_with pk "$bin/pk-record" -q $common --for "${length}s"
		# shellcheck disable=SC2086
		record_round record_with perf perf record $common -o - sleep "$length"
		# shellcheck disable=SC2086
		record_round record_with ringcopy "$dir/ringcopy" "$hz" "$length" $own
	done
	for label in pk perf ringcopy; do
		awk -v label=$label '{ l = l " " $1; s = s " " $2; c = c sprintf(" %.3f", $3); m = m " " $4 }
			END { printf "    %-8s  lost%s   samples%s   CPU%s s   MB%s\n", label, l, s, c, m }' "$scratch/$label"
	done
	lost=$(calc %.2f "$(median 5 pk) - $(median 5 perf)")
	copy=$(calc %.2f "$(median 6 pk) / $(median 6 ringcopy)")
	perf=$(calc %.2f "$(median 6 pk) / $(median 6 perf)")
	echo "    median CPU: pk $(median 3 pk) s, perf $(median 3 perf) s, ringcopy $(median 3 ringcopy) s; for each MB: pk / perf ${perf}x, pk / ringcopy ${copy}x"
	verdict record "$hz Hz, $mode: lost, pk - perf" "$lost" ' %' '<=' 0
	if [ "$(calc %d "$copy <= 1.2")" = 1 ]; then
		verdict record "$hz Hz, $mode: CPU for each MB, pk / ringcopy" "$copy" x '<=' 1.2
	else
		verdict record "$hz Hz, $mode: CPU for each MB, pk / perf" "$perf" x '<=' 0.25
	fi
}

# second_with LABEL COMMAND...: appends "ELAPSED START" to $scratch/LABEL: seconds, and seconds from the start
# of the program to the time of the first sample.
second_with()
{
	local label=$1 file=$dir/record-$1.tmp
	shift
	rm -f "$scratch/one"
	"$dir/measure" "$scratch/one" "$@" >"$file" 2>"$scratch/err" </dev/null ||
		failed "$label: $(tail -n 1 "$scratch/err")"
	awk -v first="$(value first "$file")" '{ printf "%s %.4f\n", $1, first / 1e9 - $4 }' "$scratch/one" >>"$scratch/$label"
	rm -f "$file" "$file.census"
}

# A recording of one second: how long it takes, and when it begins.
record_second()
{
	local common="-q -a -g -F 10000 -e cpu-clock -k mono" round label
	echo "    -- one second --"
	echo "    pk:   \$ $bin/pk-record $common --for 1s >FILE"
	echo "    perf: \$ perf record $common -o - -- sleep 1 >FILE"
	rm -f "$scratch/pk" "$scratch/perf"
	for ((round = 0; round < runs; round++)); do
		# shellcheck disable=SC2086 # words on purpose
		second_with pk "$bin/pk-record" $common --for 1s
		# shellcheck disable=SC2086
		second_with perf perf record $common -o - -- sleep 1
	done
	for label in pk perf; do
		awk -v label=$label '{ e = e " " $1; s = s " " $2 }
			END { printf "    %-4s  elapsed%s   first sample after%s s\n", label, e, s }' "$scratch/$label"
	done
	verdict record "one second: elapsed, pk / perf" "$(calc %.2f "$(median 1 pk) / $(median 1 perf)")" x '<=' 1
	verdict record "one second: start to first sample, pk / perf" "$(calc %.2f "$(median 2 pk) / $(median 2 perf)")" x '<=' 1
}

bench_record()
{
	local hz mode
	have_perf || return
	if [ -n "$set_sysctl" ]; then
		old_percent=$(cat $percent)
		old_rate=$(cat $rate)
		{ echo 25 >$percent && echo 49000 >$rate && echo 0 >$percent; } ||
			echo "    kernel.perf_event_max_sample_rate stays as it is"
	fi
	echo "    kernel.perf_event_max_sample_rate=$(cat $rate) kernel.perf_cpu_time_max_percent=$(cat $percent)"
	[ "$(cat $rate)" -ge 49000 ] || echo "    below 49,000 Hz; --set-sysctl lets it be that"
	for hz in 10000 49000; do
		hz=$(at_most $hz)
		for mode in fp dwarf; do record_at "$hz" $mode; done
	done
	record_second
	restore
}

# The additional cost of a block of a thread, when two processes wait for each other on one CPU; and of all blocks
# together, the CPU time and the bytes.
bench_offcpu()
{
	local times=200000 one base pk perf own ratio bytes
	have_perf || return
	[ -z "$quick" ] || times=50000
	${CC:-cc} -O2 -o "$dir/switcher" tests/live/workload/switcher.c || return
	one="taskset -c $(taskset -cp $$ | sed 's/.*[ ,-]//') $dir/switcher $times"
	compare alone "$one" \
		pk "exec $bin/pk-record -q --off-cpu -e dummy -o $scratch/pk.out -- $one" \
		pk-switches "exec $bin/pk-record -q -e sched:sched_switch -g -o $scratch/switches.out -- $one" \
		perf-switches "exec perf record -q -e sched:sched_switch -g -o $scratch/perf.out -- $one" || return
	base=$(median 2 alone)
	for own in pk pk-switches perf-switches; do
		bytes=$(stat -c %s "$scratch/$(case $own in pk) echo pk ;; pk-*) echo switches ;; *) echo perf ;; esac).out")
		printf '    %s: %s us of processor time more for each block, %s bytes\n' $own \
			"$(calc %.2f "($(median 2 $own) - $base) / (2 * $times) * 1e6")" \
			"$(calc %.1f "$bytes / (2 * $times)")"
	done
	pk=$(calc %.6f "$(median 2 pk) - $base") perf=$(calc %.6f "$(median 2 perf-switches) - $base")
	ratio=$(calc %.2f "$pk / $perf")
	verdict offcpu "CPU, --off-cpu / perf record -e sched:sched_switch -g" "$ratio" x '<=' 0.7
	verdict offcpu "bytes, likewise" \
		"$(calc %.4f "$(stat -c %s "$scratch/pk.out") / $(stat -c %s "$scratch/perf.out")")" x '<=' 0.01
	perf record --off-cpu -e dummy -o "$scratch/offcpu.out" true >"$scratch/err" 2>&1
	if ! grep -q 'ignored\|rror' "$scratch/err"; then
		compare perf-offcpu "exec perf record -q --off-cpu -e dummy -o $scratch/offcpu.out -- $one" || return
		echo "    perf record --off-cpu: $(calc %.2f "($(median 2 perf-offcpu) - $base) / (2 * $times) * 1e6") us"
	fi
}
