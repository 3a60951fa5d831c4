# SPDX-License-Identifier: BSD-2-Clause
# What older kernels do not know is left out, no more than that, and what it costs is said.
. "$PK_TOP/tests/live/record.bash"
export ASAN_OPTIONS=${ASAN_OPTIONS-}:verify_asan_link_order=0

on()
{
	local kernel=$1
	shift
	PK_KERNEL=$kernel LD_PRELOAD=$PK_BUILD/tests/faults/other_kernel.so "$@"
}

# In the attr of the first event, which follows the headers of the stream and of the record.
attr_word()
{
	od -A n -t x8 -j $((16 + 8 + $2)) -N 8 "$1" | tr -d ' '
}
od -A n -t x1 -N 1 probe.pk | grep -q 50 || skip "a big-endian machine: bits are counted elsewhere"

has_bit()
{
	[ $((0x$(attr_word "$1" 40) >> $2 & 1)) = "$3" ] || fail "$1: bit $2 of the attr's flags is not $3"
}
mmap2=23 ksymbol=29 build_id=34 defer=38 defer_output=39

on 5.4 pk-record -v -e cpu-clock -F 999 -g -o 5.4.pk -- spinner 0.2 2>err || fail "5.4: $(cat err)"
check 5.4.pk
at_least "$(records $SAMPLE)" 5 samples
has_bit 5.4.pk $mmap2 1
has_bit 5.4.pk $ksymbol 1
has_bit 5.4.pk $build_id 0
[ "$(attr_word 5.4.pk 32)" = 0000000000000004 ] || fail "5.4: read_format $(attr_word 5.4.pk 32)"
grep -q 'does not record build-ids of mapped files' err || fail "5.4: said: $(cat err)"
grep -q 'does not record.*MMAP2' err && fail "5.4: said: $(cat err)"

on 3.10 pk-record -e cpu-clock -F 999 -g --max-stack 10 -o 3.10.pk -- spinner 0.2 2>err || fail "3.10: $(cat err)"
silent err
check 3.10.pk
at_least "$(records $SAMPLE)" 5 samples
at_least "$(records 1)" 3 "MMAP records"
has_bit 3.10.pk $mmap2 0
has_bit 3.10.pk $ksymbol 0

on 5.4 pk-record --call-graph fp,defer -e cpu-clock -o now.pk -- true 2>err || fail "5.4: defer: $(cat err)"
has_bit now.pk $defer 0
grep -q 'cannot defer callchains.*using fp' err || fail "5.4: defer: said: $(cat err)"
[ "$(grep -vc 'recording user space only$' err)" = 1 ] || fail "5.4: defer: said: $(cat err)"

on 7.0 pk-record --call-graph fp,defer -e cpu-clock -o defer.pk -- true 2>err || fail "7.0: $(cat err)"
silent err
has_bit defer.pk $defer 1
has_bit defer.pk $defer_output 1
if on 7.0 pk-record -a --call-graph fp,defer -e cpu-clock -o defer.pk -- true 2>err; then
	has_bit defer.pk $defer 1
	has_bit defer.pk $defer_output 0
fi

on no-pmu pk-record -o no-pmu.pk -- true 2>err || fail "no-pmu: $(cat err)"
check no-pmu.pk
grep -q 'no hardware counter for cycles: cpu-clock was recorded instead; -e selects' err || fail "no-pmu: said: $(cat err)"
strings no-pmu.pk 2>/dev/null | grep -q cycles && fail "no-pmu: the event is still called cycles"
on no-pmu pk-record -e cycles:u -o no-pmu.pk -- true 2>err || fail "no-pmu: cycles:u: $(cat err)"
on no-pmu pk-record -e cycles:pp -o no-pmu.pk -- true 2>err
[ $? = 1 ] || fail "no-pmu: cycles:pp is not what cpu-clock does"
on no-pmu pk-record -e instructions -o no-pmu.pk -- true 2>err
[ $? = 1 ] || fail "no-pmu: instructions"
grep -q 'instructions: .*try -e cpu-clock' err || fail "no-pmu: instructions: said: $(cat err)"
exit 0
