# SPDX-License-Identifier: BSD-2-Clause
# timeout: 7200
# Of all programs, every call fails once: see tests/sweep/main.c. SWEEP="pk-fold pk-stat": these only;
# SWEEP_OPTIONS=-b prints backtraces.
. "$PK_TOP/tests/sweep/inputs.bash"
for program in ${SWEEP:-"$PK_TOP"/pk/ "$PK_TOP"/pk-*/}; do
	sweep_program "$(basename "$program")"
done
exit $bad
