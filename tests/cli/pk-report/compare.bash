# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Sourced by the tests of comparisons: recordings whose samples are random with known shares.
. "$PK_TOP/tests/cli/stream.bash"

try()
{
	echo "$ pk-report $*"
	pk-report "$@" 2>&1
	echo "status $?"
}

# samples SEED COUNT SHARE...: COUNT samples in a second. Program a has the first share in percent, b the second one, and so
# on; the last program has the rest. The random numbers are a linear congruential generator, which all awks compute alike.
samples()
{
	awk -v seed="$1" -v count="$2" -v shares="${*:3}" 'BEGIN {
		programs = split(shares, share, " ")
		for (i = 1; i <= count; i++) {
			seed = (seed * 16807) % 2147483647
			at = seed / 2147483647 * 100
			for (p = 1; p <= programs && at >= share[p]; p++)
				at -= share[p]
			print "SAMPLE misc=(user) id=7 ip=0x1000 pid=" p " tid=" p " time=" int(i * 1e9 / count) " period=1000"
		}
	}'
}

# recording SEED COUNT SHARE...
recording()
{
	local i
	header
	event "${attr:-1}" 7
	name 7 "${event:-cycles}"
	for ((i = 1; i <= $# - 1; i++)); do
		comm $i $i "$(printf %b "\\x$(printf %x $((96 + i)))")"
	done
	samples "$@"
	finish
}
