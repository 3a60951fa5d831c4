# SPDX-License-Identifier: BSD-2-Clause
# What is missing is reported: lost samples, stacks, names, samples.
. "$PK_TOP/tests/cli/pk-report/symbolized.bash"
{
	symbolized | grep -v '^END'
	echo 'LOST_SAMPLES lost=5'
	echo 'LOST lost=3'
	finish
} | assemble >lost.pk
try --by=comm lost.pk
try -q --by=comm --fail-on=lost lost.pk
{
	header
	event 1 7
	name 7 cpu-clock
	comm 5 5 prog
	maps 5 0x1000 0x1000 /bin/prog
	sample 7 5 0x1000 100
} | assemble >plain.pk
# From a pipe; pk-report/unsymbolized tests files.
# shellcheck disable=SC2002 # a pipe on purpose
cat plain.pk | try
# shellcheck disable=SC2002
cat plain.pk | try --by=comm,pid
{
	symbolized | grep -v '^END'
	deep 7 1 0 100 9000000
	deep 7 1 99 100 9000000
	finish
} | assemble >stacks.pk
try --by=symbol -e cpu-clock stacks.pk
header | assemble >empty.pk
try empty.pk
try /nonexistent
head -c 400 lost.pk >cut.pk
try -q cut.pk
