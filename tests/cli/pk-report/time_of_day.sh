# SPDX-License-Identifier: BSD-2-Clause
# Times of aggregates are times of day if the recording relates its clock to the time of day (CLOCK_DATA). Other programs
# read the numbers, which stay nanoseconds.
. "$PK_TOP/tests/cli/pk-report/symbolized.bash"
export TZ=UTC
for clock in 0 1; do
	{
		symbolized | sed '/^SAMPLE/,$d'
		[ $clock = 0 ] || feature CLOCK_DATA version=1 clockid=1 wall_ns=1800000000000000000 clockid_ns=1000000000
		deep 7 1 2 100 2500000000
		deep 7 1 3 900 63750001000
		finish
	} | assemble >clock.pk
	try -q --by comm --no-children --show 'samples,maxtime(period)' clock.pk
	try -q --csv --by comm --no-children --show 'samples,maxtime(period)' clock.pk
done
