# SPDX-License-Identifier: BSD-2-Clause
# Stacks that were made of halves stay so: the order of the stages is told.
. "$PK_TOP/tests/cli/pk-merge-callchains/deferred.bash"
{
	header
	deferring 1
	waiting 1 7 5 1000
	half 1 7 5 2000
} | assemble | pk-symbolize -q >symbolized.pk
pk-merge-callchains symbolized.pk | samples
