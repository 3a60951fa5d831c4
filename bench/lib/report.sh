# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154 # bench/run sets the variables
# Sourced by bench/run: the benchmark of pk-report.

# report_verdict OF BESIDE WHAT BOUND: elapsed times of two labels of compare.
report_verdict()
{
	verdict report "$shape: $3" "$(calc %.1f "$(median 1 "$2") / $(median 1 "$1")")" x '>=' "$4"
	echo "    by processor time: $(calc %.1f "$(median 2 "$2") / $(median 2 "$1")")x"
}

# Tables without trees, then with trees of callers; all without inlined functions.
report_shape()
{
	local flat="--stdio --no-children --no-inline -g none -i $raw" tree="--stdio --children --no-inline -g caller -i $raw" commands
	commands=(pk "$bin/pk-report -q --no-inline --no-children $raw >/dev/null"
		pk-both "$bin/pk-symbolize -q --no-inline $raw | $bin/pk-report --no-children >/dev/null"
		pk-report "$bin/pk-report --no-children $sym >/dev/null"
		perf-report "perf report $flat >/dev/null")
	[ -z "$perf_new" ] || commands+=(new-report "$perf_new report $flat >/dev/null")
	compare "${commands[@]}" || return
	report_verdict pk perf-report "perf report / pk-report of the recording" 10
	report report "$shape: perf report / pk-symbolize and pk-report" "$(calc %.1f "$(median 1 perf-report) / $(median 1 pk-both)")" x
	report_verdict pk-report perf-report "perf report / pk-report of a symbolized stream" 100
	[ -z "$perf_new" ] || report_verdict pk new-report "newer perf report / pk-report of the recording" 15
	compare pk-tree "$bin/pk-symbolize -q --no-inline $raw | $bin/pk-report --children -g caller >/dev/null" \
		perf-tree "perf report $tree >/dev/null" || return
	report report "$shape: with trees and children, perf report / pk-symbolize and pk-report" \
		"$(calc %.1f "$(median 1 perf-tree) / $(median 1 pk-tree)")" x
}

# A group for each sample: no two have the same time on the same processor.
report_groups()
{
	local groups
	shape=busy
	need_input || return
	groups=$("$bin/pk-report" -q --csv --by cpu,time:1 --show samples "$sym" | tail -n +2 | wc -l)
	runs=1 cold=1 compare pk-groups "$bin/pk-report --csv --by cpu,time:1 --show samples $sym >/dev/null" || return
	verdict report 'groups' "$groups" '' '>=' "$([ -n "$quick" ] && echo 100000 || echo 1000000)"
	verdict report 'largest resident set' "$(calc %.1f "$(median 3 pk-groups) / 1024")" ' MiB' '<=' 286
}

# The share of a processor that a live table needs, beside a recording of the machine at a high frequency.
report_live()
{
	local frequency load
	frequency=$(cat "$rate")
	[ "$frequency" -le 49000 ] || frequency=49000
	echo "    $ pk-record -a -g -F $frequency --for ${seconds}s | pk-symbolize | pk-report --live 1s" \
		"(beside $dir/mixture $((seconds + 60)) $(nproc))"
	"$dir/mixture" $((seconds + 60)) "$(nproc)" >/dev/null &
	load=$!
	"$bin/pk-record" -q -a -g -F "$frequency" -e cpu-clock --for "${seconds}s" | "$bin/pk-symbolize" -q |
		"$dir/measure" "$scratch/live" "$bin/pk-report" --live 1s >"$scratch/tables" || failed "pk-report --live"
	kill $load
	wait $load 2>/dev/null
	echo "    processor time $(median 2 live) s of $(median 1 live) s, $(grep -c '^# Samples' "$scratch/tables") tables; the last one:"
	grep '^# Samples' "$scratch/tables" | tail -n 1 | sed 's/^/    /'
	verdict report 'share of a processor of --live' "$(calc %.3f "$(median 2 live) / $(median 1 live)")" '' '<=' 0.1
}

bench_report()
{
	local perf_new=$perf_new
	have_perf || return
	if [ -z "$perf_new" ] || ! $perf_new version >/dev/null 2>&1; then
		skip report "no newer perf (--perf-new=PROGRAM)"
		perf_new=''
	fi
	for_shapes report_shape
	report_groups
	report_live
}
