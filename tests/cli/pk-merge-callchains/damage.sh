# SPDX-License-Identifier: BSD-2-Clause
# Cut and malformed input: all that could be read is there, and nobody waits for ever.
. "$PK_TOP/tests/cli/pk-merge-callchains/deferred.bash"
{
	header
	deferring 1
	waiting 1 7 5 1000
	half 1 7 5 2000 | head -c 40
} >cut.pk
pk-merge-callchains cut.pk >out.pk
echo "status $?"
samples <out.pk 2>/dev/null
{
	header
	deferring 1
	waiting 1 7 5 1000
	nums 8888 5 1000000 1 1 | record 22 2
	nums 8844888 1 2 7 7 3000 1000 9 | record 9 1
	half 1 7 5 4000
	waiting 2 7 5 5000
} >bad.pk
pk-merge-callchains bad.pk >out.pk
echo "status $?"
samples <out.pk 2>/dev/null
pk-merge-callchains missing.pk >out.pk
echo "status $?"
