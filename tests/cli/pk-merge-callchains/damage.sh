# SPDX-License-Identifier: BSD-2-Clause
# little-endian: what is printed about streams of the other byte order
# Cut and malformed input: all that could be read is there, and nobody waits for ever.
. "$PK_TOP/tests/cli/pk-merge-callchains/deferred.bash"
{
	header
	deferring 1
	waiting 1 7 5 1000
	half 1 7 5 2000
} | assemble | head -c -16 >cut.pk
pk-merge-callchains cut.pk >out.pk
echo "status $?"
samples <out.pk 2>/dev/null
{
	header
	deferring 1
	waiting 1 7 5 1000
	echo 'CALLCHAIN_DEFERRED misc=(user) cookie=5 nr=1000000 ips[0]=1 ips[1]=1 trailer=0'
	echo 'SAMPLE misc=(kernel) ip=2 pid=7 tid=7 time=3000 period=1000 nr=9'
	half 1 7 5 4000
	waiting 2 7 5 5000
} | assemble >bad.pk
pk-merge-callchains bad.pk >out.pk
echo "status $?"
samples <out.pk 2>/dev/null
pk-merge-callchains missing.pk >out.pk
echo "status $?"
