# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154 # the variables of bench/run
# Sourced by bench/run: stacks that are unwound while recording.

# Settings of the kernel: it measures its BPF programs; and what samply wants to be 1.
bpf_stats=/proc/sys/kernel/bpf_stats_enabled
paranoid=/proc/sys/kernel/perf_event_paranoid

# watch_cost FILE: until it is ended, adds lines to the file: the runs of the program of the samples in the process whose pid is in
# $scratch/pid, and their nanoseconds.
watch_cost()
{
	while sleep 0.1; do
		# Type 7 is that of programs of events.
		awk 'FNR == 1 { type = ns = 0 }
			$1 == "prog_type:" { type = $2 } $1 == "run_time_ns:" { ns = $2 }
			$1 == "run_cnt:" && type == 7 && $2 > runs { runs = $2; time = ns }
			END { if (runs) print runs, time }' /proc/"$(<"$scratch/pid")"/fdinfo/* 2>/dev/null >>"$1"
	done
}

# median_cost FILE: microseconds for a run, the median of the times between two lines; and the runs of all.
median_cost()
{
	awk 'NR > 1 && $1 > runs { printf "%.3f %d\n", ($2 - ns) / ($1 - runs) / 1000, $1 } { runs = $1; ns = $2 }' "$1" | sort -n |
		awk '{ cost[NR] = $1; if ($2 > runs) runs = $2 } END { print NR ? cost[int((NR + 1) / 2)] : 0, runs + 0 }'
}

# compile_for SECONDS: two compilers at a time.
compile_for()
{
	local end=$((SECONDS + $1)) one file
	for one in 1 2; do
		while [ $SECONDS -lt $end ]; do
			for file in bench/*.c; do
				[ $SECONDS -ge $end ] || ${CC:-cc} -O2 -g -Ilibpkstream -Ilib/base -c -o "$scratch/compiled.$one" "$file"
			done
		done &
	done
	wait
}

# used_by PID: its processor time until now, in milliseconds.
used_by()
{
	awk -v hz="$(getconf CLK_TCK)" '{ print 1000 * ($14 + $15) / hz }' "/proc/$1/stat"
}

# memory_of PID: of the process and its BPF maps and programs, in MiB.
memory_of()
{
	awk '$1 == "memlock:" { n += $2 / 1024 } $1 == "RssAnon:" { n += $2 } END { printf "%.0f", n / 1024 }' "/proc/$1/status" /proc/"$1"/fdinfo/* 2>/dev/null
}

# unwind_system: what pk-record takes to record all processes while two compilers run, in the first five seconds and then.
unwind_system()
{
	local seconds=45 mode pid load first all memory
	local -A later=()
	[ -z "$quick" ] || seconds=25
	for mode in fp unwind; do
		compile_for $((seconds + 2)) &
		load=$!
		sleep 1
		"$bin/pk-record" -a --call-graph $mode -F 99 -o "$scratch/system" -- sleep $seconds 2>"$scratch/err.system" &
		pid=$!
		sleep 5
		first=$(used_by $pid)
		sleep $((seconds - 6))
		all=$(used_by $pid) memory=$(memory_of $pid)
		wait $pid $load
		later[$mode]=$(calc %.3f "($all - $first) / 10 / ($seconds - 6)")
		printf '    -a -F 99, %-6s: %d ms of processor time in the first 5 s, then %s %% of a processor, %d MiB\n' $mode "$first" "${later[$mode]}" "$memory"
	done
	verdict unwind-live "-a -F 99, percent of a processor more than fp" "$(calc %.2f "${later[unwind]} - ${later[fp]}")" '' '<=' 0.5
	verdict unwind-live "-a -F 99, MiB of pk-record and its BPF maps" "$memory" '' '<=' 128
}

# bench_unwind-live: for some depths of the stack, what a sample costs in the kernel, and its bytes and losses, beside other recorders.
bench_unwind-live()
{
	local milliseconds=4000 depth pid runs watcher samples bytes dwarf fp lost cost unwind alone cpu name old old_paranoid
	[ -z "$quick" ] || milliseconds=1500
	[ -w $bpf_stats ] || { skip unwind-live "needs root"; return; }
	have_perf || return
	${CC:-cc} -O2 -fomit-frame-pointer -fno-optimize-sibling-calls -o "$dir/depths" bench/depths.c || return
	old=$(<$bpf_stats) old_paranoid=$(<$paranoid)
	echo 1 | tee $bpf_stats >$paranoid
	for depth in 5 15 50 200; do
		# Of the program alone, and of all recorders with it: processor time, from `times` of a shell of its own.
		for name in alone unwind fp dwarf perf-fp perf-dwarf samply; do
			case $name in
			alone) set -- ;;
			unwind) set -- "$bin/pk-record" --call-graph unwind -e cpu-clock:u -F 999 -o "$scratch/unwind" -- ;;
			fp) set -- "$bin/pk-record" --call-graph fp -e cpu-clock:u -F 999 -o "$scratch/fp" -- ;;
			dwarf) set -- "$bin/pk-record" --call-graph dwarf,8192 -e cpu-clock:u -F 999 -o "$scratch/dwarf" -- ;;
			perf-fp) set -- perf record -q -g -e cpu-clock:u -F 999 -o "$scratch/perf-fp" -- ;;
			perf-dwarf) set -- perf record -q --call-graph dwarf,8192 -e cpu-clock:u -F 999 -o "$scratch/perf-dwarf" -- ;;
			samply) set -- "${SAMPLY:-samply}" record -s --rate 999 -o "$scratch/samply" -- ;;
			esac
			[ $name != samply ] || command -v "$1" >/dev/null || continue
			: >"$scratch/pid"
			if [ $name = unwind ]; then
				: >"$scratch/costs"
				watch_cost "$scratch/costs" &
				watcher=$!
			fi
			(
				"$@" "$dir/depths" $depth $milliseconds >/dev/null 2>"$scratch/err.$name" </dev/null &
				pid=$!
				echo $pid >"$scratch/pid"
				wait $pid
				times >"$scratch/times"
				tail -n 1 "$scratch/times" | tr -d 's' | awk '{ split($1, u, "m"); split($2, s, "m"); print 60 * (u[1] + s[1]) + u[2] + s[2] }' >"$scratch/cpu.$name"
			)
			if [ $name = unwind ]; then
				kill $watcher
				wait $watcher 2>/dev/null
				read -r cost runs < <(median_cost "$scratch/costs")
			fi
			cpu=$(<"$scratch/cpu.$name")
			[ $name != alone ] || { alone=$cpu; continue; }
			bytes=$(stat -c %s "$scratch/$name")
			case $name in
			samply)
				samples=$(grep -ao '"samples":{"length":[0-9]*' "$scratch/samply" | awk -F: '{ n += $3 } END { print n + 0 }')
				lost=unknown
				;;
			perf-*)
				samples=$(perf report --stats -i "$scratch/$name" 2>/dev/null | awk '$1 == "SAMPLE" { print $3; exit }')
				lost=$(perf report --stats -i "$scratch/$name" 2>/dev/null | awk '/LOST_SAMPLES events|LOST events/ { n += $3 } END { print n + 0 }')
				;;
			*)
				samples=$("$bin/pk-script" -q "$scratch/$name" -F time 2>/dev/null | grep -c .)
				lost=$(grep -o '[0-9,]* samples\? .*lost' "$scratch/err.$name" | head -n 1)
				;;
			esac
			[ "${samples:-0}" != 0 ] || { failed "$name: no samples: $(tail -n 1 "$scratch/err.$name")"; continue; }
			printf '    depth %3d, %-10s %5d samples, %6.0f bytes for each, %6.1f us of processor time more for each (with the start), lost: %s\n' $depth $name \
				"$samples" "$(calc %.0f "$bytes / $samples")" "$(calc %.1f "($cpu - $alone) / $samples * 1e6")" "${lost:-0}"
			case $name in
			unwind) unwind=$(calc %.1f "$bytes / $samples") ;;
			dwarf) dwarf=$(calc %.1f "$bytes / $samples") ;;
			esac
		done
		[ "$runs" -gt 0 ] || { failed "no runs of the BPF program were counted"; break; }
		# Besides those of descend(): burn, main, two of libc, _start.
		printf '    depth %3d: the BPF program takes %s us for a sample, the median of each tenth of a second, %d runs\n' $depth "$cost" "$runs"
		verdict unwind-live "depth $depth: us in the kernel over 2 us + 60 ns for each of $((depth + 5)) frames" \
			"$(calc %.2f "$cost / (2 + 0.06 * ($depth + 5))")" x '<=' 1
		verdict unwind-live "depth $depth: bytes of a sample, beside --call-graph dwarf,8192" "$(calc %.4f "$unwind / $dwarf")" x '<=' 0.0334
	done
	echo "$old" >$bpf_stats
	unwind_system
	echo "$old_paranoid" >$paranoid
}
