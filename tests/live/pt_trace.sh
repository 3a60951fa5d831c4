# SPDX-License-Identifier: BSD-2-Clause
# The branches of an Intel PT trace are those of the program. A program is executed in single steps, and pt_stepper
# writes the trace that a processor would have written.
. "$PK_TOP/tests/live/fold.bash"
[ "$(uname -m)" = x86_64 ] || skip "not an x86-64 machine"

# branches FILE: source and target of the decoded branches.
branches() { pk-decode -q -e branches "$1" | pk-script -q -F ip,addr | awk '{ print $2, $1 }'; }
# trace BRANCHES COMPRESS GAP: writes the trace to trace.pk, and the branches to truth.
trace()
{
	"$PK_BUILD/tests/live/pt_stepper" "$1" "$2" "$3" all | "$PK_BUILD/tests/assemble/assemble" >trace.pk || fail "cannot write a trace"
	cut -d ' ' -f 3- all >truth
}

for compress in 0 1; do
	trace 20000 $compress 0
	pk-decode -q --every 1 -e instructions trace.pk >/dev/null 2>err || skip "no libipt: $(tail -n 1 err)"
	branches trace.pk | diff truth - >difference || fail "compress $compress: $(head -n 5 difference)"
	[ "$(wc -l <truth)" -gt 20000 ] || fail "only $(wc -l <truth) branches"
done

# No disassembler is needed.
mkdir none
for version in 4 5; do : >none/libcapstone.so.$version; done
LD_LIBRARY_PATH=$PWD/none branches trace.pk | diff truth - >difference || fail "without a disassembler: $(head -n 5 difference)"

# One of 100 instructions is an instruction of the program. All addresses of branches are among all instructions.
pk-decode -q --every 1 -e instructions trace.pk | pk-script -q -F ip | tr -d ' ' >instructions
pk-decode -q --every 100 -e instructions trace.pk | pk-script -q -F ip | tr -d ' ' >some
awk 'NR % 100 == 0' instructions | diff - some >difference || fail "instructions: $(head -n 5 difference)"
awk '$1 != "0" { print $1 }' truth | sort -u >sources
sort -u instructions | comm -13 - sources >missing
[ ! -s missing ] || fail "branches at other instructions: $(head -n 5 missing)"

# Calls and returns are a part of the branches.
pk-decode -q -e calls trace.pk | pk-script -q -G -F brstack | sed -E 's|^ *0x([0-9a-f]+)/0x([0-9a-f]+)/.*|\1 \2|' | sort -u >calls
sort -u truth | comm -13 - calls >missing
[ -s calls ] || fail "no calls"
[ ! -s missing ] || fail "calls that are no branches: $(head -n 5 missing)"

# The spans of calls have the names of the called functions.
pk-decode -q -e calls trace.pk | pk-symbolize -q | pk-span calls >spans.pk 2>err || fail "pk-span: $?"
pk-plot chart -q spans.pk >chart.svg || fail "pk-plot: $?"
for name in fibonacci qsort compare; do
	grep -Eq "<title>(__GI_)?$name" chart.svg || fail "no $name in the chart"
done
unfinished=$(sed -nE 's/.*[ ,]([0-9]+) spans? open at the end.*/\1/p' err)
[ "${unfinished:-0}" -lt 20 ] || fail "open spans: $(cat err)"

# perf decodes the same branches.
if perf --version >/dev/null 2>&1; then
	pk-export perf.data -q -o trace.data trace.pk || fail "pk-export: $?"
	perf script --itrace=b -F ip,addr -i trace.data 2>perf.err | awk '{ sub("=>", ""); print $1, $2 }' | diff truth - >difference ||
		fail "perf: $(head -n 5 difference)"
	branches trace.data | diff truth - >difference || fail "perf.data: $(head -n 5 difference)"
fi

# Lost packets: a branch whose target was lost with them is missing, no other branch, and each loss is counted.
trace 20000 1 1000
branches trace.pk | diff truth - >difference
grep -q '^>' difference && fail "wrong branches after lost packets: $(grep '^>' difference | head -n 5)"
gaps=$(grep -c '^<' difference)
pk-decode -e branches trace.pk 2>err >/dev/null || fail "pk-decode: $?"
grep -Eq "^pk-decode: (1[5-9]|$gaps) .*samples lost" err || fail "losses of $gaps gaps: $(cat err)"
exit 0
