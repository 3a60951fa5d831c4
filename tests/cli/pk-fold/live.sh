# SPDX-License-Identifier: BSD-2-Clause
# Printed anew each time the stream's clock has gone on so far.
. "$PK_TOP/tests/cli/cost.bash"
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
	pk-fold --addresses -q --live=$time live.pk
done
pk-fold --addresses -q --live=500ms --by=comm,tid live.pk | tail -n 1
# Lines that flamegraph.pl would count are stacks.
pk-fold --addresses -q --live=500ms live.pk | grep -E '^#.* [0-9.]+$'
# Rounds are added up.
pk-fold --addresses -q --live=500ms live.pk >rounds
pk-fold --addresses -q --diff=rounds live.pk
# The time of day, where the stream tells it; decimals that tell rounds apart. A second stream has its own clock.
{
	header
	event 1 7
	feature CLOCK_DATA version=1 clockid=1 wall_ns=1800000000000000000 clockid_ns=1000000000
	comm 5 5 prog
	sample 7 5 0x1000 1 3500000000
	sample 7 5 0x1000 1 3500001500
	sample 7 5 0x2000 1 7200500000000
} | assemble >day.pk
for time in 1s 1500us 1500ns; do
	for zone in UTC0 IST-5:30; do
		echo "$ TZ=$zone --live=$time"
		TZ=$zone pk-fold --addresses -q --live=$time day.pk
	done
done
cat day.pk live.pk | pk-fold --addresses -q --live=1s
# What has been printed is forgotten, or a stream that is not symbolized would fill the memory.
perl -e 'print "PERFILE2", pack("Q<", 16);
	print pack("L<S<S< L<L<Q<Q<Q<Q<Q<Q<Q<Q<", 64, 0, 80, 1, 64, 0, 1000, 0x10107, 0, 1 << 18, 0, 0, 7);
	print pack("L<S<S< Q<Q<L<L<Q<Q<", 9, 2, 48, 7, 0x1000 + 16 * $_, 5, 5, 1000000 * $_, 1000) for 1 .. 300000' >many.pk
[ -n "$PK_SAN" ] || ulimit -v 70000
pk-fold --addresses -q --live=1s many.pk | awk 'NF && !/^#/ { stacks++ } END { print stacks }'
