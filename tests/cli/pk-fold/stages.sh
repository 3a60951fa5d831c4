# SPDX-License-Identifier: BSD-2-Clause
# Where a stage is missing, stacks lack callers: the program that makes stacks says which one, once. What has
# passed the stage is not complained of.
. "$PK_TOP/tests/cli/stream.bash"
lines()
{
	echo "$ $1"
	bash -c "$1" 2>&1 >/dev/null | grep -E 'pk-unwind|pk-merge-callchains|no samples|no sample is'
}
{
	header
	event_of 7 'CALLCHAIN BRANCH_STACK' attr_size=80 branch_sample_type=0xc801
	comm 5 5 prog
	sample_of user 7 5 0x5012d8 'ips[0]=(user) ips[1]=0x5012e0' \
		'branch[0]=0x501350 -> 0x5012d0 branch[1]=0x501199 -> 0x501130'
} | assemble >lbr.pk
{
	header
	event 1 7
	session
	comm 5 5 prog
	finish
} | assemble >empty.pk
cp "$PK_TOP/tests/data/unwind/x86_64.perf.zst" dwarf.zst
cp "$PK_TOP/tests/data/unwind/arm64.perf.zst" arm64.zst
cp "$PK_TOP/format/vectors/good/kernel-deferred-le.pk" deferred.pk
for one in dwarf.zst arm64.zst lbr.pk deferred.pk; do
	lines "pk-symbolize $one | pk-fold"
	lines "pk-fold $one"
	lines "pk-script $one"
done
for one in dwarf.zst arm64.zst lbr.pk; do
	lines "pk-unwind -q --symfs $PK_TOP/tests/data/unwind $one | pk-symbolize | pk-fold"
	lines "pk-unwind -q --keep --symfs $PK_TOP/tests/data/unwind $one | pk-fold"
done
lines 'pk-merge-callchains deferred.pk | pk-symbolize | pk-fold'
# Not asked for.
lines 'pk-fold -q dwarf.zst'
lines 'pk-fold --max-depth 0 dwarf.zst'
lines 'pk-script -G dwarf.zst'
lines 'pk-script -F comm,time dwarf.zst'
# An empty result has a reason.
lines 'pk-fold empty.pk'
lines 'pk-symbolize empty.pk | pk-fold'
lines 'pk-fold --event cycles empty.pk'
lines 'pk-fold --event cycles dwarf.zst'
lines 'pk-annotate -i empty.pk'
lines 'pk-script empty.pk'
lines 'pk-script --show-task-events empty.pk'
lines 'pk-script --json empty.pk'
exit 0
