# SPDX-License-Identifier: BSD-2-Clause
# Profiles for optimizers of recordings that went through other programs: the counts are the same. Recordings that are cut or joined.
. "$PK_TOP/tests/cli/pk-export/branches.bash"
exec 2>&1

{
	branches 0x9
	for i in 1 2 3 4 5 6 7 8; do
		taken predicted=1 0x132 0x158 0x119 0x110 0x153 0x100
		taken mispred=1 0x119 0x110 0x119 0x110
	done
	finish
} | assemble >list.pk

# same NAME: the profiles of the recording on stdin are those of list.pk
same()
{
	cat >in.pk
	for format in bolt profgen autofdo; do
		pk-export $format -q --symfs=root in.pk >out || echo "$1: $format: status $?"
		pk-export $format -q --symfs=root list.pk | cmp - out || echo "$1: $format differs"
	done
	echo "$1: $(wc -l <out) lines"
}

cat list.pk | same "a pipe"
pk-filter -q --where 'comm == "list"' list.pk | same pk-filter
pk-symbolize -q --symfs=root list.pk | same pk-symbolize
pk-unwind -q list.pk | same pk-unwind
pk-merge-callchains -q list.pk | same pk-merge-callchains
pk-inject -q list.pk | same pk-inject
pk-export perf.data -q -o list.data list.pk
same perf.data <list.data
pk-filter -q --where 'comm == "other"' list.pk | pk-export bolt --symfs=root
echo "status $?"

echo "== 3,000 recordings"
for ((i = 0; i < 3000; i++)); do
	echo list.pk
done | xargs cat | pk-export bolt -q --symfs=root | awk 'NR == FNR { n[$1 $2 $3] = $4 * 3000; next }
	n[$1 $2 $3] != $4 { print "differs: " $0 } END { print FNR " lines" }' <(pk-export bolt -q --symfs=root list.pk) -

echo "== cut after each 200 bytes: never more branches than in the whole recording"
size=$(stat -c %s list.pk)
for ((n = 50; n < size; n += 200)); do
	head -c $n list.pk >cut.pk
	pk-export bolt -q --symfs=root cut.pk >cut.bolt 2>cut.err
	status=$?
	[ $status -le 1 ] || echo "$n bytes: status $status"
	[ $status = 0 ] || grep -q '^pk-export: ' cut.err || echo "$n bytes: no message"
	awk 'NR == FNR { n[$1 $2 $3] = $4; next } n[$1 $2 $3] < $4 { print "more: " $0 }' <(pk-export bolt -q --symfs=root list.pk) cut.bolt
done
head -c $((size - 100)) list.pk | pk-export bolt -q --symfs=root | wc -l
