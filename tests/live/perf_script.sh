# SPDX-License-Identifier: BSD-2-Clause
# perf reads the stream at every point of the pipeline and prints the same each time, and it finds the
# stacks in it that pk-fold prints; and pk reads what perf records.
. "$PK_TOP/tests/live/fold.bash"
perf --version >/dev/null 2>&1 || skip "no perf"
# Where the kernel hides its addresses, perf and pk have different words for functions without a name.
kernel_has_names || event=cpu-clock:u

# Samples of the stream, by pk's own account.
samples()
{
	pk-script --dump "$1" 2>dump.err | grep -c '^[0-9]* SAMPLE '
}

# read_by_perf NAME: NAME.pk becomes NAME.text and NAME.report.
read_by_perf()
{
	perf script --no-inline -i - <"$1.pk" >"$1.text" 2>perf.err || fail "perf script, $1: $(cat perf.err)"
	perf_silent perf.err
	perf report --no-inline --no-children -g none -i - --stdio <"$1.pk" >tip 2>perf.err ||
		fail "perf report, $1: $(cat perf.err)"
	perf_silent perf.err
	# A different one each time.
	grep -v '^# (Tip: ' tip >"$1.report"
}

# The stacks of NAME.text are those of NAME.folded, but for calls at the end of a function: perf looks up where they would
# return to, which is another function (docs/symbols.md). Chance decides how often these are met; 2% are more than it takes.
same_stacks()
{
	perl "$PK_TOP/tests/corpus/collapse.pl" <"$1.text" >"$1.expected"
	LC_ALL=C comm -23 <(sort "$1.expected") <(sort "$1.folded") | awk '{ n += $NF } END { print n + 0 }' >differ
	awk '{ n += $NF } END { print n + 0 }' "$1.expected" >all
	[ $((50 * $(cat differ))) -le "$(cat all)" ] ||
		fail "$1: stacks of perf and of pk:" "$(diff "$1.expected" "$1.folded" | cut -c1-300 | head -n 20)"
}

compile work.c w -pthread || fail "$(cat compile.err)"
pk-record -F 999 -e $event -g -- ./w calls recursion cxx kernel fork exec threads >recorded.pk 2>err ||
	fail "status $?: $(cat err)"
pk-symbolize --no-inline recorded.pk >symbolized.pk 2>err || fail "$(cat err)"
pk-fold symbolized.pk >recorded.folded 2>err || fail "$(cat err)"
points='recorded symbolized'
if [ -x "$PK_BIN/pk-filter" ]; then
	pk-filter recorded.pk >filtered.pk || fail "status $?"
	pk-filter symbolized.pk >both.pk || fail "status $?"
	points="$points filtered both"
	pk-fold both.pk | cmp - recorded.folded || fail "pk-filter changes the stacks"
fi

for point in $points; do
	read_by_perf $point
	count=$(grep -c '^[^	]' $point.text)
	[ "$count" = "$(samples $point.pk)" ] || fail "$point: perf finds $count of $(samples $point.pk) samples"
	[ "$count" -ge 200 ] || fail "$point: only $count samples"
	cmp recorded.text $point.text || fail "perf script prints something else after $point"
	cmp recorded.report $point.report || fail "perf report prints something else after $point"
done
grep -q "^# Samples: $count *of event '$event'" recorded.report || fail "$(head -n 20 recorded.report)"
grep -qE '[0-9]% +w +w +\[\.\] burn$' recorded.report ||
	fail "no burn:" "$(grep -v '^#' recorded.report | head -n 20)"
same_stacks recorded

# With --buildid-mmap: see perf_tracepoints.sh.
perf record -q --no-bpf-event --buildid-mmap -F 999 -e $event -g -o - ./w calls recursion kernel threads >perf.pk 2>perf.err ||
	skip "perf record fails: $(tail -n 1 perf.err)"
fold perf.pk
shows w 'main;outermost;middle;innermost;burn' 50
shows w 'main(;recurse){10};burn' 50
shows thread_one 'run_one;burn' 50
pk-symbolize --no-inline -q perf.pk 2>err | pk-fold -q >perf.folded || fail "$(cat err)"
read_by_perf perf
same_stacks perf

# Two recorders at once: the kernel marks maps as with build-id that have none.
perf record -q --no-bpf-event -F 999 -e $event -g -o - pk-record -e $event -o pk.pk ./w calls 2>perf.err >perf.pk ||
	skip "perf record fails: $(tail -n 1 perf.err)"
for name in perf pk; do
	fold $name.pk
	shows w '(main;outermost;middle;innermost;)?burn' 50
done
exit 0
