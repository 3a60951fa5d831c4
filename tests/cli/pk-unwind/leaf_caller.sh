# SPDX-License-Identifier: BSD-2-Clause
# A recording of arm64 with frame pointers: a function that has not saved its return address has its caller in the
# link register, and frame pointers lead past it.
data=$PK_TOP/tests/data/unwind
pk-unwind -v --symfs "$data" -o unwound.pk "$data/arm64.perf.zst" 2>&1 | grep callchains
folded()
{
	pk-symbolize -q --symfs "$data" "$1" | pk-fold -q --weight samples | grep -o ';main;[^[]*$'
}
echo 'as recorded'
folded "$data/arm64.perf.zst"
echo 'with callers'
folded unwound.pk
# What is done is done once, and leaves no registers.
pk-unwind -q -o again.pk unwound.pk
pk-unwind -q --keep --symfs "$data" "$data/arm64.perf.zst" | pk-unwind -q --symfs "$data" -o kept.pk
for one in unwound again kept; do
	pk-script -q $one.pk >$one
	cmp unwound $one
	pk-script --dump $one.pk | grep -aE '^  (sample_type|sample_regs_user)=' | sort -u
done
