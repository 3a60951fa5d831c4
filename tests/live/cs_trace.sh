# SPDX-License-Identifier: BSD-2-Clause
# The branches of CoreSight traces are those of the program. qemu executes a program of arm64, and cs_encoder.py writes
# the trace that a processor would have written.
. "$PK_TOP/tests/live/fold.bash"
compiler=aarch64-linux-gnu-gcc
command -v "$compiler" qemu-aarch64 python3 >/dev/null || skip "no $compiler, qemu-aarch64 or python3"
"$compiler" -O1 -ffreestanding -nostdlib -static -fno-stack-protector -o program "$PK_TOP/tests/live/workload/cs_program.c" || fail compiler
qemu-aarch64 -singlestep -d exec,nochain -D log ./program || fail qemu-aarch64

# trace MODE: writes a recording to trace.pk, and the branches to truth.
trace()
{
	python3 "$PK_TOP/tests/live/cs_encoder.py" "$PWD/program" log truth "$1" >trace.txt 2>count || fail "cs_encoder.py: $(cat count)"
	"$PK_BUILD/tests/assemble/assemble" <trace.txt >trace.pk || fail "assemble"
}

# branches FILE CPU: source and target of the decoded branches of a CPU.
branches() { pk-decode -q -e branches "$1" | pk-script -q -F cpu,ip,addr | awk -v cpu="[00$2]" '$1 == cpu { print $3, $2 }'; }

trace raw
pk-decode -q -e instructions trace.pk >/dev/null 2>err || skip "no libopencsd: $(tail -n 1 err)"
for mode in raw ete frames; do
	trace $mode
	branches trace.pk 0 | diff truth - >difference || fail "$mode: $(head -n 5 difference)"
	[ "$mode" != frames ] || branches trace.pk 1 | diff truth - >difference || fail "$mode, CPU 1: $(head -n 5 difference)"
done
[ "$(wc -l <truth)" -gt 3000 ] || fail "only $(wc -l <truth) branches"

# All instructions are those that qemu has executed, and their times are those of the timestamps.
trace raw
pk-decode -q -e instructions --every 1 trace.pk | pk-script -q --ns -F tid,time,ip >instructions
sed -nE 's|^Trace 0: [^ ]* \[[0-9a-f]+/0*([0-9a-f]+)/.*|\1|p' log >executed
awk '{ print $3 }' instructions | diff executed - >difference || fail "instructions: $(head -n 5 difference)"
awk '$1 != 100' instructions | grep . && fail "wrong threads"
times=$(awk 'NR == 1 || NR == 1500 { print $2 }' instructions | tr '\n' ' ')
[ "$times" = '0.000010000: 0.000020000: ' ] || fail "times: $times"

# perf decodes the same branches and instructions, but misses the last branch.
if perf version --build-options 2>/dev/null | grep -q 'libopencsd: \[ on'; then
	for mode in raw ete frames; do
		trace $mode
		pk-export perf.data -q -o trace.data trace.pk || fail "pk-export: $?"
		perf script --itrace=b -F ip,addr -i trace.data 2>perf.err | awk '{ sub("=>", ""); print $1, $2 }' | grep -v ' 0$' | sort >perf.branches
		pk-decode -q -e branches trace.pk | pk-script -q -F ip,addr | awk '$1 != "0" { print $2, $1 }' | sort | diff perf.branches - >difference ||
			fail "perf, $mode: $(head -n 5 difference)"
		perf script --itrace=i100i -F ip -i trace.data 2>perf.err | tr -d ' ' | sort >perf.instructions
		pk-decode -q -e instructions --every 100 trace.pk | pk-script -q -F ip | tr -d ' ' | sort | diff perf.instructions - >difference ||
			fail "perf, instructions, $mode: $(head -n 5 difference)"
	done
fi

# The code is missing.
mv program gone
pk-decode -e branches trace.pk 2>err >/dev/null || fail "pk-decode: $?"
grep -q 'their code is missing' err || fail "missing code: $(cat err)"
exit 0
