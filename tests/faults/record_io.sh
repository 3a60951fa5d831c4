# SPDX-License-Identifier: BSD-2-Clause
# A recording under short and interrupted reads and writes is whole; a full disk is told of.
. "$PK_TOP/tests/live/record.bash"
export ASAN_OPTIONS=${ASAN_OPTIONS-}:verify_asan_link_order=0

with()
{
	local fault=$1
	shift
	PK_FAULT=$fault LD_PRELOAD=$PK_BUILD/tests/faults/shim.so "$@"
}

for fault in short eintr; do
	with $fault pk-record -e cpu-clock -F 999 -g -o out.pk -- spinner 0.3 3 2>err
	[ $? = 3 ] || fail "$fault: $(cat err)"
	check out.pk
	at_least "$(records $SAMPLE)" 5 "$fault: samples"
	at_least "$(records $MMAP2)" 3 "$fault: maps"
	with $fault pk-record -e cpu-clock -o out.pk -- /nonexistent 2>err
	[ $? = 127 ] || fail "$fault: not 127: $(cat err)"
done

with short pk-record -e cpu-clock -p $$ --for 200ms -o out.pk 2>err || fail "short: -p: $(cat err)"
check out.pk
at_least "$(records $MMAP2)" 3 "short: maps that were there"
at_least "$(records $COMM)" 1 "short: names that were there"

for n in 1 2; do
	with write=$n pk-record -e cpu-clock -p $$ --for 200ms -o out.pk 2>err
	[ $? = 1 ] || fail "write=$n: status $?"
	grep -q 'out.pk: cannot write: No space left on device' err || fail "write=$n: $(cat err)"
done
with close pk-record -e cpu-clock -p $$ --for 200ms -o out.pk 2>err
[ $? = 1 ] || fail "close: status $?"
grep -q 'out.pk: Input/output error' err || fail "close: $(cat err)"
exit 0
