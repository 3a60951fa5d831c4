# SPDX-License-Identifier: BSD-2-Clause
# Shares of the wall-clock time: periods divided by the number of running threads.
. "$PK_TOP/tests/cli/pk-report/latency.bash"
latency 1 | assemble >small.pk
try -q --by=comm --show=latency,share,samples small.pk
try -q --by=parallelism --show=latency,samples small.pk
latency 1000000 | assemble >large.pk
try -q --by=comm --show=latency,share,samples large.pk
# The recording has context switches, but none happened.
{
	threads
	run 5 10 1000
} | assemble >alone.pk
try -q --by=parallelism,comm --show=share,samples alone.pk
{
	header
	event 1 7
	sample 7 5 0x1000
} | assemble >none.pk
try -q --by=parallelism --show=samples none.pk
