# SPDX-License-Identifier: BSD-2-Clause
# Formats of tracepoints: they name events that nothing else names; cut ones are not passed on.
. "$PK_TOP/tests/cli/stream.bash"
formats=$PK_TOP/tests/data/tracing.x86_64
{
	header
	echo 'HEADER_ATTR attr_type=2 config=310 sample_period=1 id=9'
	echo '  sample_type=(IP TID TIME PERIOD RAW IDENTIFIER) flags=(sample_id_all)'
	echo "TRACING_DATA payload_size=$(wc -c <"$formats") payload=@$formats"
} >none.txt
assemble <none.txt >none.pk
{
	cat none.txt
	echo 'SAMPLE misc=(user) ip=0x1000 pid=5 tid=5 time=10 period=1'
	# sched_switch: common fields, prev_comm, prev_pid, prev_prio, prev_state, next_comm, next_pid, next_prio
	echo '  raw={2:310 1:0 1:0 4:5 8:0 8:0 4:5 4:120 8:0 8:0 8:0 4:6 4:120 4:0}'
} | assemble >formats.pk
pk-filter --event 'sched:*' formats.pk | pk-script -q
pk-filter --where 'next_pid == 6' formats.pk | pk-script -q
head -c 4000 formats.pk | pk-filter --pid=5 >cut.pk
echo "status $?"
pk-script --dump cut.pk 2>/dev/null | grep -c TRACING_DATA
# what an event has is known without samples of it
for where in 'next_pid == 6' 'next_pd == 6' 'next_comm > 6'; do
	# shellcheck disable=SC2069 # what is said, not what is written
	pk-filter --where "$where" none.pk 2>&1 >none.out
	echo "status $?"
done
exit 0
