# SPDX-License-Identifier: BSD-2-Clause
# A table each time the stream's clock has advanced so far; old samples decay.
. "$PK_TOP/tests/cli/cost.bash"
. "$PK_TOP/tests/cli/pk-report/symbolized.bash"
live_samples()
{
	local at
	for at in 1 2 3 11 12 25 26 27 28 99; do
		deep 7 $((at % 2 + 1)) $((2 + at % 3)) 1000 $((at * 100000000))
		[ $at != 12 ] || lost 5
	done
	echo 'SAMPLE misc=16385 id=7 ip=0x1000 pid=1 tid=1 time=10000000000 cpu=1 period=8 nr=0 stack=7'
}
{
	symbolized | sed '/^SAMPLE/,$d'
	feature NRCPUS available=8 online=4
	live_samples
	finish
} | assemble >live.pk
try --live=1s --by symbol live.pk
try -q --live=1s --by symbol --no-children -n live.pk
try -q --live=1s --decay --by symbol -n live.pk
try -q --live=1s -g graph,0 --by comm live.pk
try --live=1s --by symbol --no-children --csv live.pk
try --live=5s --by symbol --no-children --json live.pk
{
	symbolized | sed '/^SAMPLE/,$d'
	feature CLOCK_DATA version=1 clockid=1 wall_ns=1800000000000000000 clockid_ns=1000000000
	live_samples
	finish
} | assemble >wall.pk
try --live=1m --by comm --json wall.pk
try --live=1s --decay --by symbol --show 'share,samples,avg(period),last(comm)' -q live.pk
try -q --live=1s --by event --show 'samples,peak(period)' live.pk
try --live=0 live.pk
try --live=never live.pk
try --decay live.pk
# Two sessions, and two clocks.
cat live.pk live.pk >two.pk
try -q --live=10s --by comm --no-children -n two.pk
# The same rows without --live. Samples are counted once.
pk-report -q --live=1h --by symbol -n live.pk | tail -n +2 >one
pk-report -q --by symbol -n live.pk | diff - one && echo same
# What was printed is forgotten, or many groups would fill the memory.
perl -e 'print "PERFILE2", pack("Q<", 16);
	print pack("L<S<S< L<L<Q<Q<Q<Q<Q<Q<Q<Q<", 64, 0, 80, 1, 64, 0, 1000, 0x10107, 0, 1 << 18, 0, 0, 7);
	print pack("L<S<S< Q<Q<L<L<Q<Q<", 9, 2, 48, 7, 0x1000 + 16 * $_, 5, 5, 1000000 * $_, 1000) for 1 .. 400000' >many.pk
[ -n "$PK_SAN" ] || ulimit -v 60000
pk-report -q --live=1s --by=ip many.pk | awk 'NF && !/^#/ { rows++ } END { print rows }'
"$PK_BUILD/tests/live/on_terminal" true || exit
# On a terminal, each table replaces the last one.
"$PK_BUILD/tests/live/on_terminal" bash -c 'stty rows 9 cols 80; pk-report -q --live=1s --by symbol live.pk' | sed 's/\x1b/ESC/g'
