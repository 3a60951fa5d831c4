# SPDX-License-Identifier: BSD-2-Clause
# A trace that nobody has decoded: each program that prints a result reports it in one line, with the number of
# bytes, the kind, and the stage to add. Filters pass the trace on.
. "$PK_TOP/tests/cli/pk-decode/spe.bash"
names=([1]='Intel PT' [3]=CoreSight [4]='Arm SPE')
tails=(pk-fold pk-report 'pk-report --view mem' pk-script 'pk-script --json' 'pk-script --stats' 'pk-script --tasks'
	'pk-script --view map' pk-annotate)
for what in flame page chart timeline heatmap histogram; do tails+=("pk-plot $what"); done
for format in $(pk-export --list | cut -d' ' -f1); do
	[ "$format" = perf.data ] || tails+=("pk-export $format -o out")
done
[ ${#tails[@]} -gt 25 ] || echo "only ${#tails[@]} programs"
for kind in 1 3 4; do
	{
		head_of_trace | sed "s/aux_type=4/aux_type=$kind/"
		trace 0 0 0 00112233445566778899aabbccddeeff
		echo 'SAMPLE misc=(user) id=8 ip=0x401000 pid=5 tid=5 time=100 period=1 cpu=0'
	} | assemble >trace.pk
	for tail in "${tails[@]}"; do
		expected="${tail%% *}: 16 bytes of ${names[kind]} trace are not decoded; run pk-decode before ${tail%% *}"
		rm -f out
		$tail trace.pk </dev/null 2>&1 >/dev/null | grep -a 'bytes of\|pk-decode' >lines
		[ "$(cat lines)" = "$expected" ] || echo "$tail: $(cat lines)"
	done
	pk-fold -q trace.pk 2>&1 | grep 'not decoded'
	for filter in pk-filter pk-inject pk-merge-callchains pk-unwind pk-symbolize 'pk-span sched'; do
		$filter -q trace.pk 2>/dev/null >passed.pk
		pk-fold passed.pk 2>&1 >/dev/null | grep -q "16 bytes of ${names[kind]} trace" || echo "kind $kind: $filter does not pass it on"
	done
done
exit 0
