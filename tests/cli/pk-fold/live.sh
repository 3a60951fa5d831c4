# SPDX-License-Identifier: BSD-2-Clause
# Printed anew each time the stream's clock has gone on so far.
. "$PK_TOP/tests/cli/stream.bash"
{
	header
	event 1 7
	comm 5 5 prog
	sample 7 5 0x1000 1 1000000000
	sample 7 5 0x1000 1 1400000000
	sample 7 5 0x2000 1 1500000000
	sample 7 5 0x2000 1 9900000000
	sample 7 5 0x2000 1 9950000000
} | assemble >live.pk
for time in 500ms 1 1h; do
	echo "$ --live=$time"
	pk-fold -q --live=$time live.pk
done
pk-fold -q --live=500ms --by=comm,tid live.pk | tail -n 1
# What has been printed is forgotten, or a stream that is not symbolized would fill the memory.
perl -e 'print "PERFILE2", pack("Q<", 16);
	print pack("L<S<S< L<L<Q<Q<Q<Q<Q<Q<Q<Q<", 64, 0, 80, 1, 64, 0, 1000, 0x10107, 0, 1 << 18, 0, 0, 7);
	print pack("L<S<S< Q<Q<L<L<Q<Q<", 9, 2, 48, 7, 0x1000 + 16 * $_, 5, 5, 1000000 * $_, 1000) for 1 .. 300000' >many.pk
[ -n "$PK_SAN" ] || ulimit -v 70000
pk-fold -q --live=1s many.pk | awk 'NF { stacks++ } END { print stacks }'
