# SPDX-License-Identifier: BSD-2-Clause
# long
# The branches of Intel PT traces of CPUs are those of the threads that ran on them. tests/long/pt_cpus_long.sh has more.
. "$PK_TOP/tests/live/pt_cpus.bash"

trace 20000 1 0 2 mtc 1
check "MTC packets"
trace 8000 1 1000 2 tsc
check_gaps "lost packets"
exit 0
