# SPDX-License-Identifier: BSD-2-Clause
# A cache of build-ids that cannot be read is not empty: --list --cached fails then.
SWEEP_OPTIONS="-k look"
. "$PK_TOP/tests/sweep/inputs.bash"
pk-archive -q --install --buildid-dir="$here/cache" "$PK_TOP/fuzz/corpus/elf/"{cxx.so,i386.so}
sweep pk-archive --list --cached --buildid-dir="$here/cache"
exit $bad
