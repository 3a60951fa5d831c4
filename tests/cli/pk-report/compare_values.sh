# SPDX-License-Identifier: BSD-2-Clause
# Percentiles with intervals, and the comparison of values by ranks: program a has values that are 20 % larger than in the base, b has
# the same.
. "$PK_TOP/tests/cli/pk-report/compare.bash"

# values SEED PERCENT: 400 samples of two programs; the values of a are PERCENT of those of b
values()
{
	header
	event 1 7
	name 7 cycles
	comm 1 1 a
	comm 2 2 b
	awk -v seed="$1" -v percent="$2" 'BEGIN {
		for (i = 1; i <= 800; i++) {
			seed = (seed * 16807) % 2147483647
			value = int(-1000 * log(seed / 2147483647)) + 100
			p = i % 2 + 1
			print "SAMPLE misc=(user) id=7 ip=0x1000 pid=" p " tid=" p " time=" i * 1000 " period=" int(p == 1 ? value * percent / 100 : value)
		}
	}'
	finish
}
values 11 100 | assemble >base.pk
values 12 120 | assemble >new.pk
numbers='samples,base-p50(period),base-p50-low(period),base-p50-high(period),p50(period),p50-low(period),p50-high(period),greater(period),greater-p(period)'
try -q --weight samples --by comm --show "$numbers" --csv --diff base.pk -- new.pk
try -q --weight samples --by comm --show 'p50(period),p50-low(period),p50-high(period),p99-low(period),p99-high(period),p99.9-high(period)' --csv base.pk
try -q --by comm --show 'greater(period),greater-p(period)' --order 'greater-p(period)' --json --diff base.pk -- new.pk
# A side without samples of a row has no numbers.
pk-filter --where 'comm == "b"' new.pk | try -q --by comm --show 'base-max(period),base-count(period),max(period),greater(period)' --csv --diff base.pk -- -
try --by comm --show 'greater(period)' new.pk
try --by comm --show 'base-p99(period)' new.pk
try --by comm --show 'base-greater(period)' --diff base.pk -- new.pk
