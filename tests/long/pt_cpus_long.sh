# SPDX-License-Identifier: BSD-2-Clause
# timeout: 3600
# The branches of long Intel PT traces of CPUs are those of the threads that ran on them, with each kind of times.
. "$PK_TOP/tests/live/pt_cpus.bash"

for timing in tsc cyc; do
	trace 100000 0 0 2 $timing
	check "$timing"
	trace 100000 1 1000 3 $timing 1
	check_gaps "$timing, lost packets"
	trace 100000 1 0 3 $timing 2
	check_gaps "$timing, lost bytes"
done
trace 1000000 1 0 2 mtc
check mtc
exit 0
