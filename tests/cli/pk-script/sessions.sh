# SPDX-License-Identifier: BSD-2-Clause
# The names of threads are at the roots of stacks. Those of one session are not those of the next.
. "$PK_TOP/tests/cli/stream.bash"
one()
{
	header
	event_of 7 PERIOD
	session "1"
	printf 'STRING id=%d length=1 text="%s"\n' 1 a 2 b 3 f
	echo 'FRAME id=1 function=1 flags=0x100'
	echo 'FRAME id=2 function=2 flags=0x100'
	echo 'FRAME id=3 function=3 flags=0x2'
	printf 'STACK id=%d parent=%d frame=%d\n' "$@"
	echo 'SAMPLE misc=(user) id=7 ip=0x1000 pid=5 tid=5 period=1 stack=2'
	finish
}
{
	one 1 0 1 2 1 3 # a;f
	one 1 0 1 2 0 2 # a, b
} | assemble >two.pk
pk-script -q -F comm,ip,sym two.pk
pk-fold -q two.pk
