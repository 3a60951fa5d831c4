# SPDX-License-Identifier: BSD-2-Clause
# A recording of another machine, of whose files only the program is here: stacks end where the C library begins.
data=$PK_TOP/tests/data/unwind
pk-unwind --symfs "$data" -o unwound.pk "$data/x86_64.perf.zst"
echo "status $?"
pk-symbolize -q --symfs "$data" --mark-truncated unwound.pk | pk-fold -q | grep -o ';main;[a-z_;]*' | sort | uniq -c
# Once more, from what was kept.
pk-unwind -q --keep --symfs "$data" "$data/x86_64.perf.zst" | pk-unwind -q --symfs "$data" -o again.pk
pk-script -q unwound.pk >one
pk-script -q again.pk >two
cmp one two
# The event has a callchain now, and nothing of registers.
pk-script --dump unwound.pk | grep -aE '^  (sample_type|sample_regs_user|sample_stack_user|flags)=' | sort -u
pk-unwind -q --symfs "$data" --fail-on truncated=99 -o /dev/null "$data/x86_64.perf.zst"
echo "status $?"
