# SPDX-License-Identifier: BSD-2-Clause
# Events that are one counter on several PMUs are one event, in all programs that choose or name events.
. "$PK_TOP/tests/cli/stream.bash"
# two TYPE CONFIG NAME TYPE CONFIG NAME: a recording with a sample of 1000 and one of 200
two()
{
	{
		header
		event "$1" 7 "$2"
		event "$4" 8 "$5"
		name 7 "$3"
		name 8 "$6"
		sample 7 1 0x1000 1000 1000000
		sample 8 1 0x1000 200 2000000
		finish
	} | assemble
}
fold()
{
	echo "\$ $3 and $6"
	two "$@" >two.pk
	pk-fold --by none two.pk 2>&1 | grep -v symbolized
}
# extended types of hardware events, as perf names them, or both alike, or not at all
fold 0 0xa00000000 cpu_atom/cycles/P 0 0x400000000 cpu_core/cycles/P
pk-plot flame -q two.pk | grep -oE '<title>all[^<]*'
pk-report -q --csv --by event --show samples,period two.pk
pk-report two.pk 2>&1 | grep Samples:
pk-fold --event "cpu_core*" --by none -q two.pk
pk-export callgrind -q two.pk | grep ^events
fold 0 0xa00000000 cycles 0 0x400000000 cycles
pk-report two.pk 2>&1 | grep Samples:
fold 0 0xa00000000 fast 0 0x400000000 slow
fold 3 0xa00000000 cpu_atom/L1-dcache-loads/u 3 0x400000000 cpu_core/L1-dcache-loads/u
# PMUs with types of their own, with equal and other codes
fold 8 0x11 armv8_cortex_a53/cpu_cycles/ 9 0x11 armv8_cortex_a72/cpu_cycles/
fold 10 0x5d0 cpu_atom/mem-loads,ldlat=30/P 4 0x1cd cpu_core/mem-loads,ldlat=30/P
fold 10 0 apple_firestorm_pmu/cycles/ 11 0 apple_icestorm_pmu/cycles/
echo "== different things"
fold 0 0xa00000000 cpu_atom/cycles/ 0 0x400000001 cpu_core/instructions/
fold 0 0x400000000 cpu_core/cycles/u 0 0x400000000 cpu_core/cycles/k
fold 8 0x11 armv8_cortex_a53/cpu_cycles/ 9 0x8 armv8_cortex_a72/inst_retired/
fold 8 0x1 ibs_op/l3missonly=1/ 9 0x1 ibs_fetch/l3missonly=1/
fold 8 0x11 armv8_cortex_a53/cpu_cycles/ 8 0x11 armv8_cortex_a53/cpu_cycles,name=x/
fold 1 0 cpu-clock 1 1 task-clock
echo "== two sessions"
{
	two 0 0xa00000000 cpu_atom/cycles/P 0 0x400000000 cpu_core/cycles/P
	two 8 0x11 armv8_cortex_a53/cycles/P 9 0x11 armv8_cortex_a72/cycles/P
} >both.pk
pk-fold -q --by none both.pk
