# SPDX-License-Identifier: BSD-2-Clause
# --where selects samples.
. "$PK_TOP/tests/cli/stream.bash"
{
	header
	event 1 7
	comm 5 5 prog
	comm 6 6 other
	sample 7 5 0x1000 10
	sample 7 6 0x2000 20
} | assemble >two.pk
try()
{
	echo "$ pk-fold $*"
	pk-fold --addresses -q "$@" two.pk 2>&1
	echo "status $?"
}
try --where 'comm == "prog"'
try --where 'pid > 5'
try --where 'pid > 6'
try --where 'pid >'
try --where 'trace.nothing > 5'
