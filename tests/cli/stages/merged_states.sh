# SPDX-License-Identifier: BSD-2-Clause
# A merged stream has the states of the recording at each sample: spans, rows of timehist, parallelism, latency, and names.
data=$PK_TOP/tests/data/deferred
. "$PK_TOP/tests/cli/pk-merge-callchains/deferred.bash"
for file in switches.data naps.pk tasks.pk; do
	zstd -qdc "$data/$file.zst" >"$file"
	pk-merge-callchains -q "$file" >"merged.$file"
done
spans()
{
	pk-span -q "$1" "$2" | pk-report -q -e 'pk:*' --by event --show samples,sum,max
}
for file in switches.data merged.switches.data; do
	echo "== $file"
	spans offcpu "$file"
	spans sched "$file"
done
pk-script -q --view timehist switches.data >rows
pk-script -q --view timehist merged.switches.data | cmp - rows && echo "the same rows of timehist"
echo "== after a detour over perf.data"
pk-export perf.data -q -o detour.data merged.switches.data
spans offcpu detour.data
echo "== naps"
for file in naps.pk merged.naps.pk; do
	pk-span -q offcpu "$file" | pk-report -q -e pk:offcpu -c thr --by comm --show samples,sum,max
done
echo "== latency"
for file in tasks.pk merged.tasks.pk; do
	pk-report -q --by parallelism --show latency,share "$file"
done
echo "== a sample of the kernel before exec"
{
	header
	deferring 1
	comm 7 7 before
	waiting 1 7 5 1000
	echo 'COMM misc=0x2000 pid=7 tid=7 comm="after" trailer.pid=7 trailer.tid=7 trailer.time=2000 trailer.id=1'
	waiting 1 7 5 3000
	half 1 7 5 4000
} | assemble >exec.pk
pk-merge-callchains -q exec.pk | pk-script -q --format '{time} {comm}'
pk-merge-callchains -q exec.pk | samples
echo "== a pipe: a sample waits for at most 5 s, a file: without a limit of time"
{
	header
	deferring 1
	waiting 1 7 5 1000000000
	waiting 1 8 6 2000000000
	half 1 8 6 2000001000
	waiting 1 8 7 7000000000
	half 1 7 5 7000001000
	half 1 8 7 7000002000
} | assemble >sleeps.pk
# shellcheck disable=SC2002 # a pipe
cat sleeps.pk | pk-merge-callchains -q | samples | grep -c chain_flags
pk-merge-callchains -q sleeps.pk | samples | grep -c chain_flags
# shellcheck disable=SC2002
cat sleeps.pk | pk-merge-callchains -q --max-wait=100,1M,7s | samples | grep -c chain_flags
exit 0
