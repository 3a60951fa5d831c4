# SPDX-License-Identifier: BSD-2-Clause
# Files of Callgrind: inlined functions and their files, recursion, labels that call, hostile names.
. "$PK_TOP/tests/cli/stream.bash"
. "$PK_TOP/tests/cli/pk-export/small.bash"
exec 2>&1
small | assemble >small.pk
pk-export callgrind small.pk
echo "status $?"
echo "== labels"
pk-export callgrind --event cpu-clock --by comm,tid small.pk | grep fn=
pk-export callgrind --event cpu-clock --by none small.pk | grep fn=
echo "== compressed"
pk-export callgrind -o out.gz small.pk
pk-export callgrind -o out small.pk
gzip -dc out.gz | cmp - out
echo "== no samples"
{
	header
	event 1 7
} | assemble | pk-export callgrind
echo "status $?"
echo "== a full disk"
pk-export callgrind small.pk >/dev/full
echo "status $?"
