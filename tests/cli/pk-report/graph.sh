# SPDX-License-Identifier: BSD-2-Clause
# Trees of callers and callees, in all layouts.
. "$PK_TOP/tests/cli/pk-report/symbolized.bash"

symbolized | assemble >in.pk
for type in graph fractal flat folded; do
	try -q -e cpu-clock -g $type,0 --by dso,symbol in.pk
	try -q -e cpu-clock -g $type,callee,0 --no-children --by symbol in.pk
done
try -q -e cpu-clock -g fractal,30 --by comm in.pk
try -q -e cpu-clock -g fractal,0,1,caller,count --by comm in.pk
try -q -e cpu-clock -g graph,0,period --by comm in.pk
try -q -e cpu-clock -G --no-children --max-depth 2 in.pk
try -q -e cpu-clock -g graph,60 --by dso,symbol in.pk
try -g bogus in.pk
try -g graph,1,2,3 in.pk
try -g graph,101 in.pk
try -g graph,srcline in.pk
try -g graph --csv in.pk
try --max-depth 0 in.pk

# Without callchains, there are no trees.
symbolized | sed 's/ CALLCHAIN)/)/; s/ nr=1 ips\[0\]=0x1000//' | assemble >no.pk
try -e cpu-clock -g graph --by comm no.pk

# deep STACKS SAMPLES...: stacks of one function, each with one more frame. Samples of those with these numbers.
deep_stacks()
{
	local i
	header
	event_of 7 'CPU PERIOD CALLCHAIN'
	session "1"
	name 7 cpu-clock
	strings prog main
	frame 1 1 256
	frame 2 2 2
	stack 1 0 1
	for ((i = 2; i <= $1; i++)); do
		stack $i $((i - 1)) 2
	done
	shift
	for i; do
		deep 7 1 "$i" 100 $((i * 1000))
	done
	finish
}

# A branch for each frame: the output is bounded.
# shellcheck disable=SC2046 # words
deep_stacks 100 $(seq 2 100) | assemble >branches.pk
for type in graph fractal; do
	pk-report -g $type,0 --by comm branches.pk 2>err | wc -l
	cat err
done
# Deep stacks are cut.
deep_stacks 5000 5000 4500 3 | assemble >deep.pk
for order in caller callee; do
	pk-report -q -g folded,$order,0 --max-depth 1000000 deep.pk | sed 's/;main\(;main\)*$/;.../'
	{ pk-report -g folded,$order,0 --max-depth 1000000 deep.pk >/dev/null; } 2>&1
	pk-report -q -g graph,$order,0 --no-children deep.pk 2>&1 | uniq -c
done
# -G changes the order only.
pk-report -q -g fractal -G --no-children --by comm deep.pk | cmp - <(pk-report -q -g fractal,caller --no-children --by comm deep.pk) && echo "-G"
