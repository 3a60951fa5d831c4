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
} >live.pk
for time in 500ms 1 1h; do
	echo "$ --live=$time"
	pk-fold -q --live=$time live.pk
done
pk-fold -q --live=500ms --by=comm,tid live.pk | tail -n 1
