# SPDX-License-Identifier: BSD-2-Clause
# Traces of random operations: the samples do not depend on other programs before or after pk-decode.
. "$PK_TOP/tests/cli/stream.bash"
for seed in 1 2; do
	"$PK_BUILD/tests/live/spe_encoder" $seed 500 | assemble >$seed.pk
	pk-decode -q $seed.pk >$seed.out
	pk-script -q $seed.out >$seed
	[ "$(wc -l <$seed)" -gt 1000 ] || echo "seed $seed: only $(wc -l <$seed) samples"
done

# same TEXT FILE...: these samples are on stdin
same()
{
	pk-script -q 2>err | diff <(cat "${@:2}") - >difference || echo "$1: $(grep -c '^[<>]' difference) samples differ, $(cat err)"
}
pk-filter -q 1.pk | pk-decode -q | same 'filter before' 1
pk-filter -q <1.out | same 'filter after' 1
pk-symbolize -q <1.out | pk-filter -q | same 'symbolize' 1
pk-inject -q 1.pk | pk-decode -q | same 'inject before' 1
pk-decode -q <1.out | same 'twice' 1
zstd -qc 1.pk | pk-decode -q | zstd -qc | same 'compressed' 1
pk-export perf.data -q -o 1.data 1.pk && pk-decode -q 1.data | same 'perf.data' 1
pk-export perf.data -q -o 1.data 1.out && pk-filter -q 1.data | same 'perf.data after' 1
cat 1.pk 2.pk | pk-decode -q | same 'joined before' 1 2
cat 1.out 2.out | same 'joined after' 1 2
pk-decode -q 1.pk 2.pk | same 'two files' 1 2
# Files for each thread have all samples.
pk-filter -q --split-by=tid -o 'thread-%v.pk' 1.out
pk-script -q thread-*.pk | sort | diff <(sort 1) - | head -n 3
# A trace that is cut has the samples before the cut.
head -c 20000 1.pk | pk-decode -q 2>/dev/null >cut.pk
pk-script -q cut.pk 2>/dev/null | awk 'NR == FNR { known[$0] = 1; next } !($0 in known) { print "not in the whole trace: " $0 }
	END { if (FNR < 100 || FNR >= NR - FNR) print FNR " samples" }' 1 -
exit 0
