# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154 # bench/run sets the variables
# Sourced by bench/run: the benchmarks of the programs that read a recording.

# symbolize_verdict LABEL WHAT BOUND: beside pk, elapsed time; no bound: the ratio alone.
symbolize_verdict()
{
	local ratio
	ratio=$(calc %.1f "$(median 1 "$1") / $(median 1 pk)")
	if [ -n "$3" ]; then
		verdict symbolize "$shape: $2" "$ratio" x '>=' "$3"
	else
		report symbolize "$shape: $2" "$ratio" x
	fi
	echo "    by processor time: $(calc %.1f "$(median 2 "$1") / $(median 2 pk)")x"
}

symbolize_definitions()
{
	local strings objects frames stacks
	strings=$(value strings "$sym") objects=$(value objects "$sym") frames=$(value frames "$sym") stacks=$(value stacks "$sym")
	echo "    definitions: $strings STRING, $objects DSO, $frames FRAME, $stacks STACK; $folded folded lines"
	verdict symbolize "$shape: definitions for each folded line" \
		"$(calc %.2f "($strings + $objects + $frames + $stacks) / $folded")" '' '<=' 3
}

symbolize_memory()
{
	local symbolizer folder perf
	rm -f "$scratch/symbolizer" "$scratch/folder"
	"$dir/measure" "$scratch/symbolizer" "$bin/pk-symbolize" -q --no-inline "$raw" |
		"$dir/measure" "$scratch/folder" "$bin/pk-fold" -q >/dev/null || return
	symbolizer=$(median 3 symbolizer) folder=$(median 3 folder) perf=$(median 3 perf-report)
	echo "    largest resident set: pk-symbolize $(calc %.1f "$symbolizer / 1024") MiB, pk-fold $(calc %.1f "$folder / 1024") MiB," \
		"perf report $(calc %.1f "$perf / 1024") MiB"
	verdict symbolize "$shape: memory, both of pk / perf report" "$(calc %.2f "($symbolizer + $folder) / $perf")" x '<=' 0.25
}

# From the recording to folded stacks, all without inlined functions.
symbolize_shape()
{
	local commands collapse=40 new=12 options="--stdio --no-children --no-inline -g folded,0,caller,count"
	case $shape in deep | few) collapse=80 new='' ;; esac
	commands=(pk "$bin/pk-symbolize -q --no-inline $raw | $bin/pk-fold -q >/dev/null"
		perf-report "perf report $options -i $raw >/dev/null"
		perf-script "perf script --no-inline -i $raw | perl bench/collapse.pl >/dev/null")
	[ -z "$perf_new" ] || commands+=(new-report "$perf_new report $options -i $raw >/dev/null")
	[ -z "$inferno" ] || commands+=(new-script "$perf_new script --no-inline -i $raw | $inferno >/dev/null")
	compare "${commands[@]}" || return
	symbolize_verdict perf-report "perf report / pk" 10
	symbolize_verdict perf-script "perf script and collapse.pl / pk" $collapse
	[ -z "$perf_new" ] || symbolize_verdict new-report "newer perf report / pk" "$new"
	[ -z "$inferno" ] || symbolize_verdict new-script "newer perf script and inferno / pk" "$new"
	symbolize_definitions
	symbolize_memory
}

bench_symbolize()
{
	local perf_new=$perf_new inferno=$inferno
	have_perf || return
	echo "    (bench/collapse.pl is our own: Debian does not have stackcollapse-perf.pl)"
	if [ -z "$perf_new" ] || ! $perf_new version >/dev/null 2>&1; then
		skip symbolize "no newer perf (--perf-new=PROGRAM)"
		perf_new='' inferno=''
	elif ! command -v "${inferno%% *}" >/dev/null; then
		skip symbolize "no inferno-collapse-perf (--inferno=PROGRAM)"
		inferno=''
	fi
	for_shapes symbolize_shape
}

# A program with much debugging information, and the offset of its code in the file.
need_debug()
{
	local units=$1 unit text offset size
	debug=$dir/debug-$units
	text=$dir/debug.text
	[ -x "$debug" ] || {
		echo "    making $debug: $units times bench/debug.cc"
		for ((unit = 0; unit < units; unit++)); do
			[ -e "$dir/debug$unit.o" ] || g++ -std=c++17 -O1 -g -DUNIT=$unit -c -o "$dir/debug$unit.o" bench/debug.cc || return
			echo "int work_$unit(const char *);"
		done >"$dir/debug-main.cc"
		{
			echo 'int main(int argc, char **argv) { int n = 0; for (int i = 0; i < argc; i++) n += 0'
			for ((unit = 0; unit < units; unit++)); do echo "+ work_$unit(argv[i])"; done
			echo '; return n; }'
		} >>"$dir/debug-main.cc"
		g++ -o "$debug" "$dir/debug-main.cc" "${units_o[@]/#/$dir/}" || return
	}
	readelf -SW "$debug" | sed -n 's/^.*\] \.text *PROGBITS *[0-9a-f]* \([0-9a-f]*\) \([0-9a-f]*\) .*/\1 \2/p' >"$text"
	read -r offset size <"$text"
	debug_offset=$((16#$offset)) debug_size=$((16#$size))
	debug_bytes=$(size -A "$debug" | awk '/^\.debug/ { n += $2 } END { print n }')
	${CC:-cc} -std=gnu11 -O1 -iquote lib/base -iquote libpkstream -o "$dir/addresses" tests/live/addresses.c
}

# recorded_at N FILE: a recording with N addresses, evenly spread over the program.
recorded_at()
{
	awk -v n="$1" -v at="$debug_offset" -v size="$debug_size" \
		'BEGIN { for (i = 0; i < n; i++) printf "%x\n", at + int(i * size / n) }' | "$dir/addresses" "$(realpath "$debug")" >"$2"
}

# perf is stopped after some minutes. The ratio is then a lower bound.
bench_lines()
{
	local units=40 limit=600 pk perf count units_o=() unit
	have_perf || return
	command -v g++ >/dev/null || {
		skip lines "no g++ here"
		return
	}
	[ -z "$quick" ] || units=10 limit=120
	for ((unit = 0; unit < units; unit++)); do units_o+=("debug$unit.o"); done
	need_debug $units || return
	echo "    $debug: $(stat -c %s "$debug" | numfmt --to=iec), of that debugging information $(numfmt --to=iec "$debug_bytes")"
	for count in 10 5000; do
		recorded_at $count "$dir/lines$count.pk"
		compare "pk-$count" "$bin/pk-symbolize -q --lines $dir/lines$count.pk | $bin/pk-script -q -F comm,ip,sym,srcline >/dev/null" || return
		runs=1 cold=1 compare "perf-$count" "timeout $limit perf script -F comm,ip,sym,srcline -i - <$dir/lines$count.pk >/dev/null || [ \$? = 124 ]" || return
		pk=$(median 1 "pk-$count") perf=$(median 1 "perf-$count")
		echo "    peak memory: pk $(calc %.1f "$(median 3 "pk-$count") / 1024") MiB, perf $(calc %.1f "$(median 3 "perf-$count") / 1024") MiB"
		verdict lines "$count addresses, perf script (stopped after $limit s) / pk" "$(calc %.1f "$perf / $pk")" x '>=' "$([ $count = 10 ] && echo 1 || echo 20)"
	done
}

fold_shape()
{
	local pk cat bytes speed
	compare pk-fold "$bin/pk-fold -q $sym >/dev/null" cat "cat $sym | cat >/dev/null" || return
	pk=$(median 1 pk-fold) cat=$(median 1 cat) bytes=$(stat -c %s "$sym")
	echo "    pk-fold $(calc %.0f "$bytes / $pk / 1e6") MB/s, cat | cat $(calc %.0f "$bytes / $cat / 1e6") MB/s"
	verdict fold "$shape: rate, pk-fold / cat to cat" "$(calc %.2f "$cat / $pk")" x '>=' 0.6
	speed=$(calc %.1f "$samples / $pk / 1e6")
	if [ "$shape" = deep ]; then
		report fold "$shape: million samples/s" "$speed" ''
	else
		verdict fold "$shape: million samples/s" "$speed" '' '>=' 20
	fi
	echo "    by processor time: $(calc %.1f "$samples / $(median 2 pk-fold) / 1e6") million samples/s"
}

bench_fold()
{
	for_shapes fold_shape
}

bench_pass()
{
	[ -x "$bin/pk-filter" ] || {
		skip pass "there is no pk-filter yet"
		return
	}
	need_input || return
	local all="$sym $sym $sym $sym $sym $sym $sym $sym"
	compare cat "cat $all | cat | cat >/dev/null" pk-filter "cat $all | $bin/pk-filter -q | cat >/dev/null" ||
		return
	verdict pass "pk-filter / cat" "$(calc %.2f "$(median 1 pk-filter) / $(median 1 cat)")" x '<=' 1
	echo "    by processor time of all three: $(calc %.2f "$(median 2 pk-filter) / $(median 2 cat)")x"
}

# filter_beside NAME FILE CONDITION...: compares each condition with no condition, from a file and from pipe to pipe.
filter_beside()
{
	local name=$1 file=$2 all words=() condition label
	shift 2
	all="$file $file $file $file"
	words=(copy "exec $bin/pk-filter -q $all >/dev/null" piped-copy "cat $all | $bin/pk-filter -q | cat >/dev/null")
	for condition; do
		label=${condition//[!a-z]/-}
		words+=("$label" "exec $bin/pk-filter -q $condition $all >/dev/null")
		words+=("piped$label" "cat $all | $bin/pk-filter -q $condition | cat >/dev/null")
	done
	compare "${words[@]}" || return
	for condition; do
		label=${condition//[!a-z]/-}
		echo "    $name $condition: $(calc %.0f "4 * $samples / $(median 2 "$label") / 1e6") million samples/s of processor time; plain: $(calc %.0f "4 * $samples / $(median 2 copy) / 1e6")"
		verdict filter "$name: $condition / plain, file to nothing" "$(calc %.2f "$(median 2 "$label") / $(median 2 copy)")" x '<=' 2
		verdict filter "$name: $condition / plain, pipe to pipe" "$(calc %.2f "$(median 2 "piped$label") / $(median 2 piped-copy)")" x '<=' 2
	done
}

bench_filter()
{
	need_input || return
	filter_beside symbolized "$sym" '--pid 1-99999999' '--tid 1-99999999' '--cpu 0' "--comm 'cc*'" "--event 'cpu*'" '--time +0,+99999' \
		"--where 'period > 1'" --user "--dso '*kernel*'" "--symbol '*a*'" '--stack-has main' '--every 2' || return
	filter_beside raw "$raw" '--pid 1-99999999' "--comm 'cc*'" "--dso '*kernel*'"
}

# memory_of LABEL: peak memory of LABEL-1x and LABEL-10x; their ratio in $growth.
memory_of()
{
	local one ten
	one=$(median 3 "$1-1x") ten=$(median 3 "$1-10x")
	printf '    %-13s %8.1f MiB, ten times as long %8.1f MiB\n' "$1" "$(calc %.1f "$one / 1024")" "$(calc %.1f "$ten / 1024")"
	growth=$(calc %.2f "$ten / $one")
}

bench_memory()
{
	need_input || return
	local long=${raw%.perf}10.perf long_sym=${raw%.perf}10.pk runs=1 cold=1
	if [ ! "$long" -nt "$raw" ]; then
		echo "    \$ $dir/stretch 10 <$raw >$long"
		"$dir/stretch" 10 <"$raw" >"$long" || return
	fi
	symbolized "$long" "$long_sym" || return
	echo "    ten times as long: $(value samples "$long") samples, $(value rounds "$long") rounds, $(value chains "$long") call chains"
	compare pk-symbolize-1x "exec $bin/pk-symbolize -q $raw >/dev/null" \
		pk-symbolize-10x "exec $bin/pk-symbolize -q $long >/dev/null" \
		pk-fold-1x "exec $bin/pk-fold -q $sym >/dev/null" \
		pk-fold-10x "exec $bin/pk-fold -q $long_sym >/dev/null" || return
	memory_of pk-symbolize
	verdict memory "pk-symbolize, ten times the input" "$growth" x '<=' 1.2
	memory_of pk-fold
	verdict memory "pk-fold, ten times the input" "$growth" x '<=' 1.2
	have_perf || return 0
	compare perf-report-1x "exec perf report --stdio --no-children -g folded,0,caller,count -i $raw >/dev/null" \
		perf-report-10x "exec perf report --stdio --no-children -g folded,0,caller,count -i $long >/dev/null" \
		perf-script-1x "exec perf script -i $raw >/dev/null" || return
	memory_of perf-report
	printf '    %-13s %8.1f MiB\n' perf-script "$(calc %.1f "$(median 3 perf-script-1x) / 1024")"
}

# faults_of LABEL FILE COMMAND...: measures the command with FILE as its last operand, as LABEL-file, and with the bytes of
# FILE from a pipe, as LABEL-pipe.
faults_of()
{
	local label=$1 file=$2
	shift 2
	rm -f "$scratch/$label"-{file,pipe}
	"$dir/measure" "$scratch/$label-file" "$@" "$file" >"$scratch/out" 2>"$scratch/err" || failed "$*: $(tail -n 1 "$scratch/err")"
	# shellcheck disable=SC2002 # a pipe
	cat "$file" | "$dir/measure" "$scratch/$label-pipe" "$@" - >"$scratch/out" 2>"$scratch/err" || failed "$*: $(tail -n 1 "$scratch/err")"
}

# The page faults of a program for one more MB of the stream, before its compression. Those of its start and of the symbols are left out.
bench_faults()
{
	need_input || return
	local long=${raw%.perf}10.perf before=$failures command kind from size kinds='stream data'
	local -A short_of=([stream]=$raw [data]=$dir/short.data [zstd]=$dir/short.zst) long_of=([stream]=$long [data]=$dir/long.data [zstd]=$dir/long.zst)
	[ "$long" -nt "$raw" ] || "$dir/stretch" 10 <"$raw" >"$long" || return
	"$dir/tofile" <"$raw" >"${short_of[data]}" && "$dir/tofile" <"$long" >"${long_of[data]}" || return
	if command -v zstd >/dev/null; then
		zstd -q -1 <"$raw" >"${short_of[zstd]}" && zstd -q -1 <"$long" >"${long_of[zstd]}" || return
		kinds+=' zstd'
	else
		skip 'faults, compressed' 'no zstd here'
	fi
	size=$(($(stat -Lc %s "$long") - $(stat -Lc %s "$raw")))
	for command in 'pk-symbolize --no-inline' 'pk-fold --no-inline' 'pk-report --no-inline' 'pk-script -F comm,ip' 'pk-filter --pid 1-99999999' \
		pk-unwind pk-merge-callchains; do
		for kind in $kinds; do
			# shellcheck disable=SC2086 # words
			faults_of short "${short_of[$kind]}" "$bin/"$command -q
			# shellcheck disable=SC2086 # words
			faults_of long "${long_of[$kind]}" "$bin/"$command -q
			for from in file pipe; do
				verdict faults "${command%% *}, $kind, $from" \
					"$(calc %.2f "($(median 5 long-$from) - $(median 5 short-$from)) / $size * 1e6")" ' for each MB' '<=' 2
			done
		done
	done
	rm -f "$dir"/{short,long}.{data,zst}
	[ $failures = "$before" ]
}

# A file of two gigabytes, read directly and from a pipe. pk writes the pipe's bytes to a temporary file.
bench_file()
{
	need_input || return
	local file=$dir/input.data runs=1 cold=1 label stretched
	stretched=$(calc %d "2e9 / $(stat -Lc %s "$raw") + 1")
	if [ ! "$file" -nt "$raw" ]; then
		echo "    \$ $dir/stretch $stretched <$raw | $dir/tofile >$file"
		"$dir/stretch" "$stretched" <"$raw" | "$dir/tofile" >"$file" || return
	fi
	compare file-symbolize "exec $bin/pk-symbolize -q $file >/dev/null" \
		pipe-symbolize "cat $file | $bin/pk-symbolize -q >/dev/null" \
		file-script "exec $bin/pk-script -q $file >/dev/null" \
		file-filter "exec $bin/pk-filter -q $file >/dev/null" || return
	for label in file-symbolize pipe-symbolize file-script file-filter; do
		verdict file "$label, $(calc %.1f "$(stat -c %s "$file") / 1e9") GB" \
			"$(calc %.0f "$(median 3 $label) / 1024")" ' MiB' '<=' 150
	done
	rm -f "$file"
}

# beside_perf LABEL WHAT: how pk-LABEL stands beside perf-LABEL.
beside_perf()
{
	local label=$1
	verdict script "perf script / pk-script, $2" \
		"$(calc %.1f "$(median 1 "perf-$label") / $(median 1 "pk-$label")")" x '>=' 5
	echo "    $2: by processor time $(calc %.1f "$(median 2 "perf-$label") / $(median 2 "pk-$label")")x;" \
		"memory pk $(calc %.1f "$(median 3 "pk-$label") / 1024") MiB, perf $(calc %.1f "$(median 3 "perf-$label") / 1024") MiB"
}

# All fields, with symbols; few fields.
script_shape()
{
	local part="-F comm,tid,time,event,period"
	compare pk-all "exec $bin/pk-script -q --no-inline $raw >/dev/null" \
		perf-all "exec perf script --no-inline -i $raw >/dev/null" \
		pk-fields "exec $bin/pk-script -q $part $raw >/dev/null" \
		perf-fields "exec perf script --no-inline $part -i $raw >/dev/null" || return
	beside_perf all "$shape"
	beside_perf fields "$shape, few fields"
}

bench_script()
{
	local calls=$dir/calls.perf
	have_perf && for_shapes script_shape || return
	echo "    -- tracepoints --"
	if [ ! -s "$calls" ]; then
		echo "    \$ perf record -e 'raw_syscalls:*' -o - -- dd bs=1 count=100000 >$calls"
		perf record -q -e 'raw_syscalls:*' -o - -- dd if=/dev/zero of=/dev/null bs=1 count=100000 \
			>"$calls" 2>"$scratch/err" || rm -f "$calls"
	fi
	[ -s "$calls" ] || {
		skip script "no tracepoints here"
		return 0
	}
	compare pk-tracepoints "exec $bin/pk-script -q --no-inline $calls >/dev/null" \
		perf-tracepoints "exec perf script --no-inline -i $calls >/dev/null" || return
	beside_perf tracepoints tracepoints
}

bench_swapped()
{
	need_input || return
	local other=${raw%.perf}.other-order.perf native=$raw megabytes
	if [ -n "$foreign" ]; then
		other=$foreign
	elif [ ! "$other" -nt "$raw" ]; then
		echo "    \$ $dir/bigendian <$raw >$other"
		"$dir/bigendian" <"$raw" >"$other" || return
	fi
	compare read-native "$dir/census --read $native" \
		read-swapped "$dir/census --read $other" \
		pk-native "$bin/pk-symbolize -q $native >/dev/null" \
		pk-swapped "$bin/pk-symbolize -q $other >/dev/null" || return
	for label in read-native read-swapped pk-native pk-swapped; do
		case $label in *native) megabytes=$native ;; *) megabytes=$other ;; esac
		megabytes=$(calc %.1f "$(stat -c %s "$megabytes") / 1e6")
		echo "    $label: $(calc %.0f "$megabytes / $(median 1 $label)") MB/s"
	done
	summary+=("swapped: reading, MB/s|$(calc %.0f "$(stat -c %s "$other") / $(median 1 read-swapped) / 1e6")|-|-")
}

bench_unwind()
{
	local pk perf
	need_stacks || return
	samples=$(value samples "$stacks")
	echo "    input $stacks: $samples samples, $(calc %.1f "$(value bytes "$stacks") / 1e6") MB; $("$bin/pk-unwind" -v "$stacks" 2>&1 >/dev/null | grep stacks | tail -n 1)"
	compare pk-unwind "exec $bin/pk-unwind -q $stacks >/dev/null" \
		pk-text "$bin/pk-unwind -q $stacks | $bin/pk-script -q >/dev/null" \
		cat "exec cat $stacks >/dev/null" \
		perf-addresses "exec perf script --no-inline -F comm,tid,time,ip -i $stacks >/dev/null" \
		perf-text "exec perf script --no-inline -i $stacks >/dev/null" || return
	pk=$(median 1 pk-unwind) perf=$(median 1 perf-text)
	verdict unwind "perf script / pk-unwind" "$(calc %.1f "$perf / $pk")" x '>=' 10
	verdict unwind "elapsed, pk-unwind / cat" "$(calc %.2f "$pk / $(median 1 cat)")" x '<=' 1.5
	pk=$(median 2 pk-unwind)
	verdict unwind "CPU, pk-unwind / cat" "$(calc %.2f "$pk / $(median 2 cat)")" x '<=' 1.5
	echo "    by processor time: $(calc %.1f "$(median 2 perf-text) / $pk")x; $(calc %.0f "$samples / $pk") samples/s;" \
		"perf script without symbols $(calc %.1f "$(median 2 perf-addresses) / $pk")x; as text by both $(calc %.1f "$(median 2 perf-text) / $(median 2 pk-text)")x"
	printf '    largest resident set: pk-unwind %.1f MiB, perf script %.1f MiB\n' \
		"$(calc %.1f "$(median 3 pk-unwind) / 1024")" "$(calc %.1f "$(median 3 perf-text) / 1024")"
}

# The generator's time is not counted, because it is not a child that the program waits for.
bench_merge()
{
	local samples=10000000 plain=$dir/plain.perf runs=3 cold=1 told lost expected all
	[ -z "$quick" ] || samples=1000000
	compare merge "exec $bin/pk-merge-callchains -q <($dir/deferred $samples 10000 2>$scratch/told) >/dev/null" ||
		return
	verdict merge "million samples/s of processor time" "$(calc %.2f "$samples / $(median 2 merge) / 1e6")" '' '>=' 4
	verdict merge "MiB at most" "$(calc %.1f "$(median 3 merge) / 1024")" '' '<=' 64
	told=$(cat "$scratch/told")
	lost=$(sed 's/.*lost=//' "$scratch/told")
	expected="$samples $((samples - lost)) $(sed 's/.*alone=\([0-9]*\).*/\1/' "$scratch/told")"
	"$dir/deferred" $samples 10000 2>/dev/null | "$bin/pk-merge-callchains" -v 2>&1 >/dev/null |
		sed -n 's/,//g; s/.*: *\([0-9]*\) \(samples with.*\|merged\|of them for no sample\)$/\1/p' |
		paste -sd ' ' >"$scratch/merged"
	echo "    the generator: $told"
	verdict merge "samples, merged, halves for none are other than made" \
		"$([ "$(cat "$scratch/merged")" = "$expected" ] && echo 0 || echo 1)" '' '==' 0
	[ -s "$plain" ] || "$dir/deferred" 1000000 10000 plain >"$plain" 2>/dev/null || return
	all="$plain $plain $plain $plain $plain $plain $plain $plain $plain $plain $plain $plain"
	runs=7 cold=''
	compare copy "exec $bin/pk-filter -q $all >/dev/null" \
		nothing-deferred "exec $bin/pk-merge-callchains -q $all >/dev/null" || return
	verdict merge "nothing deferred / pk-filter" \
		"$(calc %.2f "$(median 2 nothing-deferred) / $(median 2 copy)")" x '<=' 1.1
}

# All functions above 0.1% of a program of 400, each with its source lines, as perf annotate shows them.
bench_annotate()
{
	local program=$dir/functions data=$dir/functions.data functions pk perf
	have_perf || return
	command -v objdump >/dev/null || {
		skip annotate "no objdump here"
		return
	}
	[ -x "$program" ] || ${CC:-cc} -std=gnu11 -O2 -g -o "$program" tests/live/workload/functions.c || return
	[ -s "$data" ] || perf record -q --buildid-mmap -F 4999 -e cpu-clock:u -o "$data" "$program" 4000 >/dev/null || return
	"$bin/pk-symbolize" -q "$data" >"$dir/functions.pk"
	functions=$("$bin/pk-annotate" -q -i "$dir/functions.pk" --min-percent 0.1 | grep -c '^ Percent')
	echo "    $functions functions with more than 0.1% of the samples"
	compare pk-symbolized "$bin/pk-annotate -q --source --min-percent 0.1 -i $dir/functions.pk >/dev/null" \
		pk-both "$bin/pk-symbolize -q $data | $bin/pk-annotate -q --source --min-percent 0.1 >/dev/null" || return
	runs=1 cold=1 compare perf "perf annotate --stdio --percent-limit 0.1 -i $data >/dev/null" || return
	pk=$(median 1 pk-both) perf=$(median 1 perf)
	verdict annotate "perf annotate / pk, both stages" "$(calc %.1f "$perf / $pk")" x '>=' 10
	echo "    by processor time $(calc %.1f "$(median 2 perf) / $(median 2 pk-both)")x;" \
		"memory pk $(calc %.1f "$(median 3 pk-symbolized) / 1024") MiB, perf $(calc %.1f "$(median 3 perf) / 1024") MiB"
}

# instructions_of LABEL COMMAND...: of one run, in $count.
instructions_of()
{
	local label=$1
	shift
	valgrind --tool=callgrind --callgrind-out-file="$dir/callgrind.$label" "$@" >/dev/null 2>"$scratch/err" ||
		failed "$(tail -n 1 "$scratch/err")"
	count=$(sed -n 's/^summary: \([0-9]*\).*/\1/p' "$dir/callgrind.$label")
}

# The difference between a recording and one twice as long is the cost of its samples, without the cost of starting.
bench_instructions()
{
	local tool file long count one per
	command -v valgrind >/dev/null || {
		skip instructions "no valgrind here"
		return
	}
	local quick=1
	need_input || return
	long=${raw%.perf}2.perf
	[ "$long" -nt "$raw" ] || "$dir/stretch" 2 <"$raw" >"$long" || return
	"$bin/pk-symbolize" -q "$long" >"${long%.perf}.pk"
	for tool in pk-symbolize pk-fold; do
		file=$raw
		[ $tool = pk-symbolize ] || file=$sym
		echo "    \$ valgrind --tool=callgrind --callgrind-out-file=$dir/callgrind.$tool $bin/$tool -q $file"
		instructions_of "$tool" "$bin/$tool" -q "$file"
		one=$count
		case $tool in pk-fold) file=${long%.perf}.pk ;; *) file=$long ;; esac
		instructions_of "$tool-2x" "$bin/$tool" -q "$file"
		per=$(calc %.1f "($count - $one) / $samples")
		echo "    $tool: $one instructions; twice as long: $count; a further sample: $per"
		summary+=("instructions: $tool, a further sample|$per|-|-")
	done
}
