# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154 # bench/run sets the variables
# Sourced by bench/run: the benchmark of pk-plot.

# need_stacks_text: a million distinct stacks as folded text, of 5 to 40 frames.
need_stacks_text()
{
	stacks_text=$dir/stacks$quick.folded
	[ -s "$stacks_text" ] && return
	awk -v count="$([ -n "$quick" ] && echo 100000 || echo 1000000)" 'BEGIN {
		srand(5)
		while (n < count) {
			depth = 5 + int(rand() * 36); stack = "program"
			for (i = 0; i < depth; i++) stack = stack ";function_" int(rand() ^ 3 * (20 + 20 * i))
			if (!(stack in seen)) { seen[stack]; n++; print stack, 1 + int(rand() ^ 8 * 1000) }
		} }' >"$stacks_text"
}

# need_spans: 10 million spans of system calls.
need_spans()
{
	local calls copies=8
	spans=$dir/spans$quick.pk
	[ -z "$fresh" ] || rm -f "$spans"
	[ -s "$spans" ] && return
	need_calls || return
	"$bin/pk-span" -q syscalls "$calls" >"$scratch/spans.pk" || return
	copies=$(calc %d "$([ -n "$quick" ] && echo 1e6 || echo 1e7) / $(samples_of "$scratch/spans.pk") + 1")
	"$dir/stretch" "$copies" <"$scratch/spans.pk" >"$spans"
}

# megabytes FILE
megabytes()
{
	calc %.2f "$(stat -c %s "$1") / 1e6"
}

plot_flame()
{
	local commands=(pk-flame "$bin/pk-plot flame $stacks_text >$scratch/pk.svg") beside=()
	if command -v "$flamegraph" >/dev/null; then
		commands+=(flamegraph "$flamegraph $stacks_text >$scratch/perl.svg 2>/dev/null")
		beside+=(flamegraph 20)
	else
		skip plot "no flamegraph.pl (--flamegraph=PROGRAM)"
	fi
	if command -v "$inferno_flamegraph" >/dev/null; then
		commands+=(inferno "$inferno_flamegraph $stacks_text >$scratch/inferno.svg 2>/dev/null")
		beside+=(inferno 2)
	else
		skip plot "no inferno-flamegraph (--inferno-flamegraph=PROGRAM)"
	fi
	compare "${commands[@]}" || return
	set -- "${beside[@]}"
	for (( ; $# >= 2; )); do
		verdict plot "flame: $1 / pk-plot" "$(calc %.1f "$(median 1 "$1") / $(median 1 pk-flame)")" x '>=' "$2"
		report plot "flame: memory of pk-plot / $1" "$(calc %.2f "$(median 3 pk-flame) / $(median 3 "$1")")" x
		shift 2
	done
	report plot 'flame: size of the picture' "$(megabytes "$scratch/pk.svg")" ' MB'
	[ ! -s "$scratch/perl.svg" ] || report plot 'flame: size of that of flamegraph.pl' "$(megabytes "$scratch/perl.svg")" ' MB'
	[ ! -s "$scratch/inferno.svg" ] || report plot 'flame: size of that of inferno' "$(megabytes "$scratch/inferno.svg")" ' MB'
}

# plot_spans COUNT KIND...: the time, memory and size of pictures of the spans.
plot_spans()
{
	local count=$1 kind
	shift
	for kind; do
		compare "pk-$kind" "$bin/pk-plot -q $kind $spans >$scratch/$kind.svg" || return
		verdict plot "$kind of $count spans" "$(median 1 "pk-$kind")" ' s' '<' 5
		verdict plot "$kind: size of the picture" "$(megabytes "$scratch/$kind.svg")" ' MB' '<' 3
		report plot "$kind: largest resident set" "$(calc %.1f "$(median 3 "pk-$kind") / 1024")" ' MiB'
	done
}

bench_plot()
{
	local stacks_text spans
	need_stacks_text && plot_flame
	need_spans && plot_spans "$(samples_of "$spans")" heatmap histogram timeline
}
