# SPDX-License-Identifier: BSD-2-Clause
# Formats of tracepoints: they name events that nothing else names; cut ones are not passed on.
. "$PK_TOP/tests/cli/stream.bash"
{
	header
	nums 448888888 2 64 310 1 $((0x10507)) 0 $((1 << 18)) 0 0 >attr
	{
		cat attr
		num 8 9
	} | record 64 0
	nums 42244 66 0 16 "$(wc -c <"$PK_TOP/tests/data/tracing.x86_64")" 0
	cat "$PK_TOP/tests/data/tracing.x86_64"
} >none.pk
{
	cat none.pk
	{
		nums 884488 9 0x1000 5 5 10 1
		nums 421148844888444 68 310 0 0 5 0 0 5 120 0 0 0 6 120 0
	} | record 9 2
} >formats.pk
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
