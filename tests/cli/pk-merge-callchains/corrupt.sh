# SPDX-License-Identifier: BSD-2-Clause
# A user half that claims more addresses than its record has, also if the number of their bytes overflows, is damage: it is skipped,
# and the exit status is 1. So is a record of namespaces.
. "$PK_TOP/tests/cli/pk-merge-callchains/deferred.bash"
for count in 3 2305843009213693952 18446744073709551615; do
	{
		header
		deferring 1
		waiting 1 7 5 1000
		half 1 7 5 2000 | sed "1s/\$/ nr=$count/"
		waiting 1 7 6 3000
		half 1 7 6 4000
	} | assemble >corrupt.pk
	pk-merge-callchains corrupt.pk | samples
	echo "status ${PIPESTATUS[0]}"
done
{
	header
	deferring 1
	echo 'NAMESPACES pid=7 tid=7 nr=1152921504606846976 namespace[0].dev=1 namespace[0].ino=2 trailer.pid=7 trailer.tid=7 trailer.time=10 trailer.id=1'
} | assemble >corrupt.pk
pk-merge-callchains corrupt.pk >out.pk
echo "status $?"
