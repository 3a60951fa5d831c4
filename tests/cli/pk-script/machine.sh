# SPDX-License-Identifier: BSD-2-Clause
# little-endian: what is printed about streams of the other byte order
# -I: the parts of the recorded machine, as perf script -I prints them; which program recorded it.
. "$PK_TOP/tests/cli/stream.bash"
vectors=$PK_TOP/format/vectors/good
shown()
{
	pk-script -q --header-only "$@" | grep -vE '^# (captured|event|missing|stage|bpf_prog_info)'
}
shown "$vectors/features-le.pk"
echo
shown -I "$vectors/features-le.pk" | grep -E ' (sibling|CPU|node|memory)|^# +[0-9]'
shown -I "$vectors/features-be.pk" 2>/dev/null | diff <(shown -I "$vectors/features-le.pk") -
pk-script -q -I "$vectors/features-le.pk" | diff <(pk-script -q --header -I "$vectors/features-le.pk") -

# string TEXT: in an unknown part of a record
string()
{
	echo "unknown={4:8} unknown=\"$1\" unknown={$((8 - ${#1})):0}"
}
{
	header
	event 1 7
	feature VERSION 'version="pk 1.2"'
	feature NRCPUS available=3 online=2
	# Lists without dies, and one that is cut
	feature CPU_TOPOLOGY 'unknown={4:1}' "$(string 0-1)" 'unknown={4:2}' "$(string 0)" "$(string 1)" \
		'unknown={4:0 4:0 4:1 4:0 4:-1 4:-1}'
	feature CACHE version=1 \
		'cache[0].level=3 cache[0].line_size=2048 cache[0].sets=64 cache[0].ways=16' \
		'cache[0].type="Unified" cache[0].size="32768K" cache[0].cpus="0-2"' \
		'cache[1].level=1 cache[1].line_size=64 cache[1].sets=64 cache[1].ways=12' \
		'cache[1].type="Data" cache[1].size="\e[1m"' size=400
	feature MEM_TOPOLOGY version=1 block_size=134217728 'unknown={8:2 8:0 8:70 8:70 8:5 8:32 8:1}'
	feature NUMA_TOPOLOGY 'unknown={4:2}' size=20
	feature HYBRID_TOPOLOGY 'pmu[0].name="cpu_p" pmu[0].cpus="0-1"'
} | assemble >small.pk
echo
shown -I small.pk
{
	header
	event 1 7
	# More CPUs than there is content
	feature NRCPUS available=4294967295 online=2
	feature CPU_TOPOLOGY 'unknown={4:0 4:0 4:1 4:2 4:3 4:4}'
	feature MEM_TOPOLOGY version=1 block_size=4096 'unknown={8:1 8:0 8:-1 8:-1}'
} | assemble >lying.pk
shown -I lying.pk
