# SPDX-License-Identifier: BSD-2-Clause
# What got lost is told in one line, except under -q, and --fail-on makes it the exit status.
. "$PK_TOP/tests/cli/stream.bash"
try()
{
	echo "$ pk-fold $*"
	pk-fold "$@" 2>&1
	echo "status $?"
}
{
	header
	event 1 7
	session
	comm 5 5 prog
	for ((i = 0; i < 19; i++)); do
		sample 7 5 0x1000
	done
	lost 1
	echo 'LOSS stage=1 cause=5 count=2 total=20' # frames unresolved
	finish
} | assemble >lost.pk
try lost.pk
try -q lost.pk
for list in lost lost=4.9 lost=5 unresolved=9.9 unresolved=10,lost=5 truncated truncated=0,lost=50; do
	try -q --fail-on=$list lost.pk
done
# without their deferred user halves
cp "$PK_TOP/format/vectors/good/kernel-deferred-le.pk" deferred.pk
for list in truncated truncated=99 truncated=100 truncated=100.1 lost; do
	try --fail-on=$list deferred.pk
done
