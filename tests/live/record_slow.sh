# SPDX-License-Identifier: BSD-2-Clause
# A reader that is too slow costs samples; how many is said, and stands in the stream.
. "$PK_TOP/tests/live/record.bash"

# Samples of 8 KiB fill the pipe, a small ring and a small buffer within no time.
pk-record -F 999 --call-graph dwarf -e cpu-clock -m 16k --buffer 16k -- spinner 1 2>err | (
	sleep 0.9
	cat >out.pk
)
check out.pk
lost=$(sed -n 's/^lost //p' counts)
[ "$lost" != 0 ] || skip "the pipe took it all"
grep -q "samples lost: the rings were full" err || fail "said: $(cat err)"
said=$(sed -n 's/^pk-record: \([0-9,]*\) of \([0-9,]*\) samples lost.*/\1 \2/p' err | tr -d ,)
# Before Linux 6.0 the kernel counts records, in LOST.
[ "${said% *}" = "$lost" ] || fail "said $said, lost $lost"
[ "${said#* }" = $((lost + $(records $SAMPLE))) ] || fail "said $said, $(records $SAMPLE) samples are there"
exit 0
