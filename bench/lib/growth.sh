# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154 # bench/run sets the variables
# Sourced by bench/run: how time and memory grow with the input, and how far they are from the least.

# grow_to TIMES: repeats $base so many times, as a stream that is not stored. Appends "CPU KIB KIB" to
# $scratch/growth-TIMES: the processor time of pk-symbolize and pk-fold, and the largest resident set of each.
grow_to()
{
	rm -f "$scratch/symbolizer" "$scratch/folder"
	"$dir/stretch" "$1" <"$base" | "$dir/measure" "$scratch/symbolizer" "$bin/pk-symbolize" -q |
		"$dir/measure" "$scratch/folder" "$bin/pk-fold" -q >/dev/null || failed "$1 times $base"
	paste "$scratch/symbolizer" "$scratch/folder" | awk '{ print $2 + $6, $3, $7 }' >>"$scratch/growth-$1"
}

# growth_step FROM TO: the exponent of the processor time between two lengths.
growth_step()
{
	verdict growth "exponent of processor time, $(calc %.0e "$1 * $unit") to $(calc %.0e "$2 * $unit") samples" \
		"$(calc %.3f "log($(median 1 "growth-$2") / $(median 1 "growth-$1")) / log($2 / $1)")" '' '<=' 1.05
}

bench_growth()
{
	local base=$dir/${quick:+quick-}growth.perf unit round times cpu steps=(1 10 100 1000) last=1
	need_input || return
	[ -z "$quick" ] || steps=(1 10)
	"$dir/stretch" 1 100000 <"$raw" >"$base" || return
	unit=$(value samples "$base")
	echo "    input $base: $unit samples of $raw, $(value chains "$base") distinct call chains"
	echo "    \$ $dir/stretch TIMES <$base | $bin/pk-symbolize -q | $bin/pk-fold -q >/dev/null"
	for times in "${steps[@]}"; do
		rm -f "$scratch/growth-$times"
		for ((round = 0; round < (times > 10 ? 1 : runs); round++)); do
			grow_to "$times"
		done
		cpu=$(median 1 "growth-$times")
		printf '    %12d samples  CPU %.3f s, %.3f us each; largest resident set: pk-symbolize %.1f MiB, pk-fold %.1f MiB\n' \
			$((times * unit)) "$cpu" "$(calc %.6f "$cpu / $times / $unit * 1e6")" \
			"$(calc %.1f "$(median 2 "growth-$times") / 1024")" "$(calc %.1f "$(median 3 "growth-$times") / 1024")"
	done
	for times in "${steps[@]:1}"; do
		growth_step $last "$times"
		last=$times
	done
	[ "$last" = 10 ] || growth_step 1 "$last"
	verdict growth "memory of pk-symbolize, longest / shortest" \
		"$(calc %.2f "$(median 2 "growth-$last") / $(median 2 growth-1)")" x '<=' 1.2
	verdict growth "memory of pk-fold, longest / shortest" \
		"$(calc %.2f "$(median 3 "growth-$last") / $(median 3 growth-1)")" x '<=' 1.2
}

# limit_of NAME INPUT COMMAND...: the processor time of the command, over that of reading INPUT once and of
# writing the command's output once. Writing is the time that cat needs more if its output is a pipe, not /dev/null.
limit_of()
{
	local name=$1 from=$2 output=$dir/limits.tmp round job reading writing
	shift 2
	echo "    $name: \$ $* | cat >/dev/null"
	"$@" >"$output" || return
	rm -f "$scratch"/limit-*
	for ((round = 0; round < runs; round++)); do
		"$dir/measure" "$scratch/limit-job" "$@" | cat >/dev/null || failed "$*"
		"$dir/measure" "$scratch/limit-input" cat "$from" >/dev/null
		"$dir/measure" "$scratch/limit-piped" cat "$output" | cat >/dev/null
		"$dir/measure" "$scratch/limit-output" cat "$output" >/dev/null
	done
	job=$(median 2 limit-job) reading=$(median 2 limit-input)
	writing=$(awk -v a="$(median 2 limit-piped)" -v b="$(median 2 limit-output)" 'BEGIN { printf "%.4f", (a > b ? a - b : 0) }')
	echo "    $name: CPU $job s; reading $(calc %.1f "$(stat -Lc %s "$from") / 1e6") MB $reading s," \
		"writing $(calc %.1f "$(stat -c %s "$output") / 1e6") MB $writing s"
	rm -f "$output"
	report limits "$name: CPU / limit" "$(calc %.1f "$job / ($reading + $writing)")" x
}

bench_limits()
{
	local calls switches
	need_input && need_stacks && need_deferred || return
	limit_of symbolize "$raw" "$bin/pk-symbolize" -q "$raw" &&
		limit_of fold "$sym" "$bin/pk-fold" -q "$sym" &&
		limit_of script "$raw" "$bin/pk-script" -q "$raw" &&
		limit_of unwind "$stacks" "$bin/pk-unwind" -q "$stacks" &&
		limit_of filter "$sym" "$bin/pk-filter" -q "$sym" &&
		limit_of "filter --pid" "$sym" "$bin/pk-filter" -q --pid 1-99999999 "$sym" &&
		limit_of merge "$deferred" "$bin/pk-merge-callchains" -q "$deferred" &&
		limit_of report "$raw" "$bin/pk-report" -q --no-children "$raw" || return
	need_calls && limit_of "view syscalls" "$calls" "$bin/pk-report" -q --view syscalls "$calls"
	need_switches && limit_of "view sched-latency" "$switches" "$bin/pk-report" -q --view sched-latency "$switches"
}
