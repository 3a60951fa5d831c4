# SPDX-License-Identifier: BSD-2-Clause
# What cannot be counted is told before anything runs.
pk-stat --help
pk-stat --help | awk 'length($0) > 90 { print "too long: " $0 }'
pk-stat --version | grep -qE '^pk-stat [0-9]+\.[0-9]+' || echo "no version"
try()
{
	echo "$ pk-stat $*"
	pk-stat "$@" 2>&1
	echo "status $?"
}
try -r -1 true
try -r x true
try -r 2 -a
try -r 2 -I 5 true
try -I 0 true
try -I 1s true
try --interval-count 2 true
try --timeout x true
try --for 0s true
try -A true
try --per-thread true
try --per-core -p 1
try -a -A -e cycles/percore/ true
try -e nonsense true
try -e page-faults,, true
try -x ./file --probe main true
try --no-such-option
try -o /no/such/folder/file true
