# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154 # bench/run sets the variables
# Sourced by bench/run: the programs of bench/, and the recordings that the benchmarks read.

compile()
{
	local name=$1
	shift
	[ "$dir/$name" -nt "bench/$name.c" ] && [ "$dir/$name" -nt "$build/libpkstream.a" ] && return
	${CC:-cc} -std=gnu11 -g "$@" -iquote lib/base -iquote libpkstream -o "$dir/$name" "bench/$name.c" \
		"$build/libpkstream.a" -lzstd -lpthread || exit 1
}

prepare()
{
	local tool
	mkdir -p "$dir" || exit 1
	for tool in pk-record pk-symbolize pk-fold pk-unwind pk-script pk-annotate; do
		[ -x "$bin/$tool" ] || die "$bin/$tool is not there: run make"
	done
	for tool in measure census stretch bigendian tofile deferred ringcopy pools; do
		compile $tool -O2
	done
	for tool in mixture recursion; do
		compile $tool -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -fno-inline
	done
	! command -v javac >/dev/null || [ "$dir/Recursion.class" -nt bench/Recursion.java ] || javac -d "$dir" bench/Recursion.java
	[ -z "$fresh" ] || rm -f "$dir"/*.perf* "$dir"/*.pk*
}

have_perf()
{
	perf version >/dev/null 2>&1 && return
	echo "    SKIPPED: no perf here (Debian: linux-perf)"
	return 1
}

# ---- What is recorded ----

compile_c()
{
	${CC:-cc} -std=gnu11 -O2 "${includes[@]}" -DPK_VERSION='"bench"' -c -o /dev/null "$1"
}

run_builds()
{
	local f
	for f in lib/*/*.c libpkstream/*.c pk-*/*.c; do compile_c "$f"; done
}

run_cxx_builds()
{
	g++ -std=c++17 -O1 -g -DUNIT="$RANDOM" -c -o /dev/null bench/debug.cc
}

run_interpreters()
{
	# shellcheck disable=SC2016 # perl's
	perl -e 'my %seen;
		while (<>) { push @{$seen{$1}}, [$ARGV, length] while /(\w+)/g }
		print join(" ", map { "$_=" . @{$seen{$_}} } sort { @{$seen{$b}} <=> @{$seen{$a}} } keys %seen)' lib/session/*.c
	python3 -c 'import ast, json, os
folder = os.path.dirname(ast.__file__)
for name in sorted(os.listdir(folder))[:20]:
    if name.endswith(".py"):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            tree = ast.parse(file.read())
        json.loads(json.dumps([ast.unparse(node) if hasattr(ast, "unparse") else 0 for node in tree.body]))'
}

run_jits()
{
	java -XX:+PreserveFramePointer bench/Recursion.java 1 &
	node -e 'const walk = (n) => n < 2 ? [n] : [walk(n - 1), walk(n - 2)];
		for (const file of process.argv.slice(1)) {
			const words = require("fs").readFileSync(file, "utf8").split(/\W+/).sort();
			JSON.parse(JSON.stringify(words.map((word, i) => ({word, i, list: walk(i % 12)}))));
		}' lib/session/*.c
	wait
}

run_short_processes()
{
	local f
	for f in lib/*/*.h; do
		sed 's/[a-z]*_//g' "$f" | grep -v '^$' | sort | uniq -c | head -n 5
		awk '{ n[$1]++ } END { print length(n) }' "$f"
	done
}

# busy: builds, interpreters, programs with a compiler at run time, and many short processes, all at the
# same time, once for every two CPUs.
drive_busy()
{
	local end=$((SECONDS + $1)) job i
	for ((i = 0; i < $(nproc); i += 2)); do
		for job in builds cxx_builds interpreters jits short_processes; do
			while [ $SECONDS -lt $end ]; do
				"run_$job" >/dev/null 2>&1
				sleep 0.01 # where a program is missing
			done &
		done
	done
	while [ $SECONDS -lt $end ]; do sleep 0.2; done
}

# deep: two threads of recursion.c, and its walks in Java.
drive_deep()
{
	"$dir/recursion" "$1" 2 &
	[ ! -e "$dir/Recursion.class" ] ||
		java -XX:+PreserveFramePointer -XX:-Inline -cp "$dir" Recursion "$1" >/dev/null &
	wait
}

# few: mixture.c on two CPUs, and beside it, for a quarter of the time, gcc compiling files of pk.
drive_few()
{
	local end=$((SECONDS + $1)) start f
	"$dir/mixture" "$1" 2 &
	while [ $SECONDS -lt $end ]; do
		for f in libpkstream/*.c lib/base/*.c; do
			[ $SECONDS -lt $end ] || break
			start=${EPOCHREALTIME/./}
			compile_c "$f"
			sleep "$(calc %.3f "3 * (${EPOCHREALTIME/./} - $start) / 1e6")"
		done
	done
	wait
}

# drive SHAPE SECONDS: what still runs then is ended.
drive()
{
	local includes=() folder
	for folder in lib/*/ libpkstream/; do includes+=(-iquote "$folder"); done
	set -m
	(
		set +m
		"drive_$1" "$2"
	) &
	group=$!
	trap 'kill -- -$group 2>/dev/null; rm -rf "$scratch"' EXIT
	wait $group
}

# ---- Recordings ----

# value KEY FILE: of the census of FILE.
value()
{
	[ "$2.census" -nt "$2" ] && [ "$2.census" -nt "$dir/census" ] || "$dir/census" "$2" >"$2.census"
	sed -n "s/.*\\<$1=\\([0-9.]*\\).*/\\1/p" "$2.census"
}

# at_most HZ: this, or the limit of the kernel.
at_most()
{
	local limit
	limit=$(cat $rate)
	echo $(($1 < limit ? $1 : limit))
}

# The properties of a shape: the frequency, the processors that are recorded, options, and the least numbers
# of samples and of distinct call chains.
shape_is()
{
	case $shape in
	busy) frequency=$(at_most 25000) cpus=$(nproc) options=-a wanted_samples=1300000 wanted_chains=400000 ;;
	deep) frequency=$(at_most 10000) cpus=2 options='' wanted_samples=300000 wanted_chains=0 ;;
	few) frequency=max cpus=2 options='' wanted_samples=1300000 wanted_chains=0 ;;
	esac
	[ "$cpus" -le "$(nproc)" ] || cpus=1
	[ -z "$quick" ] || wanted_samples=$((wanted_samples / 10)) wanted_chains=$((wanted_chains / 10))
}

missing_programs()
{
	local program list=''
	for program in $([ "$shape" = busy ] && echo g++ perl python3 node java || echo javac); do
		command -v "$program" >/dev/null || list+=" $program"
	done
	[ -z "$list" ] || echo "    not here, so not in the recording:$list"
}

# Records the shape until it has the wanted numbers of samples and call chains, and cuts it there.
record_shape()
{
	local length got count=$wanted_samples speed
	speed=$(calc %d "($(at_most "${frequency/max/1000000}") + 0) * $cpus")
	for _ in 1 2 3 4; do
		length=$(calc %d "1.1 * $count / $speed + 2")
		[ "$length" -le 600 ] || break
		echo "    \$ perf record $options -g -e cpu-clock -F $frequency -o - -- bench/run --drive $shape $length >$raw.whole"
		# shellcheck disable=SC2086 # none or one
		perf record $options -g -e cpu-clock -F "$frequency" -o - -- bench/run --drive "$shape" "$length" \
			>"$raw.whole" 2>"$scratch/err" || {
			tail -n 3 "$scratch/err"
			return 1
		}
		got=$(value samples "$raw.whole")
		speed=$(calc %d "$got / $length + 1")
		if [ "$got" -lt "$count" ]; then
			echo "    $got samples: too few"
			continue
		fi
		echo "    \$ $dir/stretch 1 $count <$raw.whole >$raw"
		"$dir/stretch" 1 "$count" <"$raw.whole" >"$raw" || return
		got=$(value chains "$raw")
		[ "$got" -lt "$wanted_chains" ] || break
		echo "    $got call chains: too few"
		count=$(calc %d "1.2 * $count * $wanted_chains / ($got + 1)")
	done
	rm -f "$raw.whole"*
	[ -s "$raw" ]
}

symbolized() # FILE OUTPUT: makes the output, unless it is there and newer
{
	[ "$2" -nt "$1" ] && [ "$2" -nt "$bin/pk-symbolize" ] && return
	echo "    \$ $bin/pk-symbolize -q $1 >$2"
	"$bin/pk-symbolize" -q "$1" >"$2"
}

# The input of the shape: $raw, a recording by perf, and $sym, with symbols.
make_input()
{
	local frequency cpus options wanted_samples wanted_chains=0
	raw=$dir/${quick:+quick-}$shape.perf
	if [ "$shape" = own ]; then
		raw=$dir/own.perf
		[ "$(readlink "$raw")" = "$input" ] || rm -f "$dir"/own*
		ln -sfn "$input" "$raw"
	else
		shape_is
		[ -s "$raw" ] || { have_perf && record_shape; } || return
	fi
	sym=${raw%.perf}.pk
	symbolized "$raw" "$sym" || return
	samples=$(value samples "$raw")
	folded=${folded_lines[$raw]-}
	[ -z "$folded" ] || return 0
	folded=$("$bin/pk-fold" -q "$sym" | wc -l)
	folded_lines[$raw]=$folded
	describe_input
}

# Once for each input, with what it should have.
describe_input()
{
	local bytes chains
	bytes=$(value bytes "$raw") chains=$(value chains "$raw")
	echo "    input $raw: $samples samples, $(calc %.1f "$bytes / 1e6") MB, $(calc %.1f "$bytes / $samples") bytes each;" \
		"$chains distinct call chains of $(value depth "$raw") entries on average, $(value lost "$raw") lost; $folded folded stacks"
	[ "$shape" = own ] || [ "$shape" = few ] || missing_programs
	[ "$wanted_chains" = 0 ] || {
		verdict input "$shape: samples" "$samples" '' '>=' $((wanted_samples * 10 / 13))
		verdict input "$shape: distinct call chains" "$chains" '' '>=' "$wanted_chains"
	}
}

need_input()
{
	make_input && return
	echo "    no input"
	return 1
}

# for_shapes FUNCTION: with the input of each shape.
for_shapes()
{
	for shape in "${shapes[@]}"; do
		echo "    -- $shape --"
		need_input && "$1" || return
	done
}

# A recording with stack dumps: $stacks.
need_stacks()
{
	local wanted=${quick:+2400} length
	wanted=${wanted:-24000}
	stacks=$dir/stacks-$wanted.perf
	[ -s "$stacks" ] && return
	have_perf || return
	length=$(calc %d "1.3 * $wanted / 4000 + 3")
	while :; do
		echo "    \$ perf record --call-graph dwarf,8192 -e cpu-clock -F 4000 -o - -- bench/run --drive few $length >$stacks.whole"
		perf record --call-graph dwarf,8192 -e cpu-clock -F 4000 -o - -- bench/run --drive few "$length" \
			>"$stacks.whole" 2>"$scratch/err" || {
			tail -n 3 "$scratch/err"
			return 1
		}
		[ "$(value samples "$stacks.whole")" -lt "$wanted" ] && [ "$length" -lt 120 ] || break
		length=$((2 * length))
	done
	echo "    \$ $dir/stretch 1 $wanted <$stacks.whole >$stacks"
	"$dir/stretch" 1 "$wanted" <"$stacks.whole" >"$stacks" && rm -f "$stacks.whole"*
}

# A recording with deferred call chains: $deferred.
need_deferred()
{
	deferred=$dir/deferred.perf
	[ -s "$deferred" ] || "$dir/deferred" 1000000 10000 >"$deferred" 2>/dev/null
}
