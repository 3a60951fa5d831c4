# SPDX-License-Identifier: BSD-2-Clause
# timeout: 900
# Of all programs: a call that fails is never taken for "there is nothing" (see tests/sweep/main.c). Some
# calls of each kind only; tests/long/sweep_programs.sh lets every one fail.
SWEEP_OPTIONS="-m $([ -z "$PK_SAN" ] && echo 6 || echo 3)"
. "$PK_TOP/tests/sweep/inputs.bash"
for program in "$PK_TOP"/pk{,-*}/; do
	sweep_program "$(basename "$program")"
done
exit $bad
