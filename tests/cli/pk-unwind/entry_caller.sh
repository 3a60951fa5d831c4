# SPDX-License-Identifier: BSD-2-Clause
# Probes at the first instruction of functions, recorded on x86-64 with frame pointers: the caller is at the stack
# pointer. The kernel has added that of twice() itself, which starts with the frame pointer.
data=$PK_TOP/tests/data/unwind
folded()
{
	pk-symbolize -q --symfs "$data" "$1" | pk-fold -q
}
echo 'as recorded'
folded "$data/entry.perf.zst"
pk-symbolize --symfs "$data" "$data/entry.perf.zst" 2>&1 >symbolized.pk | grep pk-unwind
pk-unwind -v --symfs "$data" -o unwound.pk "$data/entry.perf.zst" 2>&1 | grep callchains
echo 'with callers'
folded unwound.pk
# What is done is done once, and leaves no dump.
pk-unwind -q --keep --symfs "$data" "$data/entry.perf.zst" | pk-unwind -q --symfs "$data" -o kept.pk
for one in unwound kept; do
	pk-script -q $one.pk >$one
	cmp unwound $one
	pk-script --dump $one.pk | grep -aE '^  (sample_type|sample_stack_user)=' | sort -u
done
# The program is not needed: pk-record has recorded the word because a function starts there.
pk-unwind -q --symfs /nowhere "$data/entry.perf.zst" | folded -
