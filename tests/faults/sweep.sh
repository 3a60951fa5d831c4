# SPDX-License-Identifier: BSD-2-Clause
# long
# timeout: 900
# Of all programs: a call that fails is never taken for "there is nothing" (see tests/sweep/main.c). Some calls of some kinds
# only: a line fails three of the nine kinds, the next line of the program three others. tests/long/sweep_programs.sh lets every
# call fail in every line.
. "$PK_TOP/tests/sweep/inputs.bash"
kinds=(memory read open look map write close event process)
sweep_options()
{
	local i
	echo -m 3
	for ((i = swept % 3; i < ${#kinds[@]}; i += 3)); do
		echo -k "${kinds[i]}"
	done
}

for program in "$PK_TOP"/pk{,-*}/; do
	before=$swept
	sweep_program "$(basename "$program")"
	[ $((swept - before)) -ge 3 ] || {
		echo "$program: fewer than three lines do not fail all kinds of calls"
		bad=1
	}
done >"$here/totals"
# Of what passed nothing is printed, so that the end of the output, which tests/run.sh shows, has what did not.
grep -v ', 0 violations: ' "$here/totals"
exit $bad
