# SPDX-License-Identifier: BSD-2-Clause
# A sample without a CPU (-1), and names of events without a name that count only in the host or only in guests.
# The first is as in perf; docs/perf-script.md has the difference in names.
. "$PK_TOP/tests/cli/stream.bash"
{
	header
	id=0
	for flags in '' exclude_guest exclude_host 'exclude_kernel exclude_hv exclude_guest'; do
		id=$((id + 1))
		echo "HEADER_ATTR attr_type=0 config=0 sample_period=1000 id=$id"
		echo "  sample_type=(IDENTIFIER IP TID TIME CPU PERIOD) flags=(sample_id_all $flags)"
	done
	for id in 1 2 3 4; do
		echo "SAMPLE misc=(user) id=$id ip=0x100 pid=5 tid=5 time=${id}000 cpu=4294967295 period=1000"
	done
	echo "SAMPLE misc=(user) id=1 ip=0x100 pid=5 tid=5 time=9000 cpu=3 period=1000"
} | assemble | pk-script -q
