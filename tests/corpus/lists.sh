# SPDX-License-Identifier: BSD-2-Clause
# long
# pk-archive --list beside perf 7.2's buildid-list, and pk-script --header-only --events beside its evlist -v. Left out on both
# sides: the vDSO, which perf had in a temporary file, memory of no file, and names of tracepoints' numbers, which perf looked up
# in the formats of the machine that it ran on.
. "$PK_TOP/tests/corpus/corpus.bash"
compared=0

same()
{
	cmp -s expected found || complain "== $1: $(diff expected found | cut -c1-250 | head -n 20)"
	compared=$((compared + 1))
}

for data in "$PK_CORPUS"/own/*/data/*.data; do
	ref=$(dirname "$data")/../ref/$(basename "$data" .data)
	# In pipes perf lists other objects, or none, and lacks names; its stat recordings have no samples.
	case $data in *pipe* | *inject* | */stat*) continue ;; esac
	if [ -s "$ref.buildids.txt" ]; then
		grep -vE 'perf-vdso|\[vdso|\[stack\]|//anon' "$ref.buildids.txt" | LC_ALL=C sort -k1.42 >expected
		pk-archive -q --list "$data" | grep -vF '[vdso]' >found
		same "$data: objects"
	fi
	if [ -s "$ref.evlist.txt" ]; then
		sed -E '/^# Tip/d; s/(type: 2 .*config: 0x[0-9a-f]*) \([^)]*\)/\1/' "$ref.evlist.txt" >expected
		pk-script -q --header-only --events "$data" >found
		same "$data: events"
	fi
done
[ $compared -ge 80 ] || complain "$compared lists only"
exit $status
