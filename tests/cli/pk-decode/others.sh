# SPDX-License-Identifier: BSD-2-Clause
# Traces that are not decoded are passed on.
. "$PK_TOP/tests/cli/pk-decode/spe.bash"
for kind in 0 2 5 6 7 99; do
	{
		head_of_trace | sed "s/aux_type=4/aux_type=$kind/"
		trace 0 0 0 00112233445566778899aabbccddeeff
		echo 'SAMPLE misc=(user) id=8 ip=0x401000 pid=5 tid=5 time=100 period=1 cpu=0'
	} | assemble >trace.pk
	pk-decode trace.pk >out.pk
	echo "kind $kind: status $?, $(pk-script --dump out.pk | grep -c ' AUX') records of the trace"
	pk-fold --max-depth 0 out.pk
done
{
	head_of_trace
	trace 0 0 0 "$(load 0x401000 5 100)"
	echo 'SAMPLE misc=(user) id=8 ip=0x401000 pid=5 tid=5 time=100 period=1 cpu=0'
} | assemble >spe.pk
echo "== in samples"
{
	event_of 7 AUX
	echo 'SAMPLE misc=(user) id=7 ip=0x401000 pid=5 tid=5 time=100 aux=0011223344556677'
} | { header; cat; } | assemble | pk-fold --max-depth 0
echo "== events without an identifier"
{
	head_of_trace | sed 's/ IDENTIFIER//'
	trace 0 0 0 "$(load 0x401000 5 100)"
} | assemble >ids.pk
pk-decode ids.pk >out.pk
echo "status $?, $(pk-script --dump out.pk | grep -c ' AUX') records of the trace"
echo "== a symbolized stream"
pk-symbolize spe.pk 2>/dev/null >symbolized.pk
pk-decode -e memory symbolized.pk | samples
echo "== without a trace"
pk-decode "$PK_TOP/format/vectors/good/like-perf-le.pk" >decoded.pk
pk-script -q "$PK_TOP/format/vectors/good/like-perf-le.pk" >expected
pk-script -q decoded.pk | cmp - expected && echo same
