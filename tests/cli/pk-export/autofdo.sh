# SPDX-License-Identifier: BSD-2-Clause
# Profiles of lines for clang: calls, instructions that did not run, sums over sessions, samples without branches, cut streams, perf.data
# files, filters in front, and files without debugging information. tests/long/pgo.sh compares them with llvm-profgen.
. "$PK_TOP/tests/cli/pk-export/branches.bash"
exec 2>&1

samples()
{
	taken predicted=1 0x132 0x158 0x119 0x110 0x153 0x100
	taken predicted=1 0x119 0x110 0x119 0x110
}

{
	branches 0x9
	samples
} | assemble >list.pk
exported autofdo list.pk
pk-export autofdo --symfs=root list.pk >expected
echo "== the same program at another address, a filter in front, a perf.data file, and a pipe"
{
	base=0x7f0000000000
	branches 0x9 $base
	samples
} | assemble >elsewhere.pk
pk-export autofdo --symfs=root elsewhere.pk | cmp - expected
pk-filter -q --where 'comm == "list"' list.pk | pk-export autofdo --symfs=root | cmp - expected
pk-export perf.data -q -o perf.data list.pk
pk-export autofdo --symfs=root perf.data | cmp - expected
pk-export autofdo --symfs=root --object root/src/list -q <list.pk | cmp - expected
echo "== two sessions have twice the counts"
cat list.pk elsewhere.pk | pk-export autofdo --symfs=root | head -n 3
echo "== cut in the last sample"
head -c -20 list.pk >cut.pk
exported autofdo cut.pk | head -n 3
echo "== no branches"
{
	branches 0x9
	taken predicted=1
	taken predicted=1
} | assemble >plain.pk
exported autofdo plain.pk
echo "== no debugging information"
strip -g -o root/src/stripped root/src/list
mv root/src/stripped root/src/list
exported autofdo list.pk
