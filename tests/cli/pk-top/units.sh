# SPDX-License-Identifier: BSD-2-Clause
# The numbers have the units of --unit.
. "$PK_TOP/tests/cli/pk-top/screen.bash"
{
	header
	event 1 7
	name 7 cpu-clock
	sample 7 5 0x1000 2500000 1500000000
	finish
} | assemble >small.pk
size=60x6
start 'pk-top --by time --show period --unit ms,M small.pk'
shot 'has ended'
keys q
ended
