# SPDX-License-Identifier: BSD-2-Clause
# Stacks that are deep, and names that are long: defined once, they stand in many samples. And files
# that are nothing but holes.
. "$PK_TOP/tests/cli/cost.bash"
exec 2>&1
unpack deep-stack.pk deep-names.pk perfmaps.pk
echo "== the leaf of deep stacks"
bounded 3 200 pk-script deep-stack.pk | tail -n 2
echo "== all of them"
bounded 20 800 pk-script --json deep-names.pk | wc -c
echo "== perf maps of 700 MB that hold 4 KB"
mkdir -p fs/tmp
for pid in 100001 100002 100003 100004; do
	echo '1000 100 function' >fs/tmp/perf-$pid.map
	truncate -s 700M fs/tmp/perf-$pid.map
done
bounded 3 200 pk-script --symfs=fs perfmaps.pk
echo "== 60,000 events, each with a name of its own"
perl -e '
	print "PERFILE2", pack("Q", 16);
	for (1 .. 60000) {
		print pack("LSS", 64, 0, 112), pack("LLQQQQQLLx40", 4, 96, $_, 1, 0x10007, 0, 1 << 18, 0, 0), pack("Q", $_);
	}
	print pack("LSSQQLLQ", 9, 2, 40, $_, 0x1000, 1, 1, $_) for 1 .. 60000;
' >events.pk
bounded 2 300 pk-script --stats events.pk | tail -n 1
