# SPDX-License-Identifier: BSD-2-Clause
# Conditions on a field that no sample of the recording has are false, which is reported once for each field.
. "$PK_TOP/tests/cli/stream.bash"
{
	header
	event 1 7
	comm 5 5 prog
	sample 7 5 0x1000
} | assemble >plain.pk
{
	header
	event 1 7
	event_of 8 CPU
	comm 5 5 prog
	sample 7 5 0x1000
} | assemble >one_has.pk
try()
{
	echo "$ $*"
	{ "$@" >out; } 2>&1
	echo "status $?"
}
try pk-filter --cpu 0 plain.pk
try pk-filter --where 'cpu == 0 || cpu == 1 || cgroup ~ "x"' plain.pk
try pk-filter --where 'pid == 5' plain.pk
try pk-filter --cpu 0 one_has.pk
try pk-filter -q --cpu 0 plain.pk
try pk-fold --where 'cpu == 0' plain.pk
try pk-report --where 'cpu == 0' plain.pk
try pk-script --json plain.pk
