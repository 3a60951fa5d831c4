# SPDX-License-Identifier: BSD-2-Clause
# A program in a pid namespace and a /tmp of its own writes its perf map under the pid that it knows, where
# only it sees it: while it lives its code has names, also in what pk-inject adds.
. "$PK_TOP/tests/live/fold.bash"

compile jit.c jit || fail "$(cat compile.err)"
unshare --mount --pid --fork sh -c 'mount -t tmpfs none /tmp && mount -t proc none /proc' 2>/dev/null ||
	skip "no mount and pid namespaces here"
./jit >pid
status=$?
rm -f "/tmp/perf-$(cat pid).map"
[ $status != 77 ] || skip "jit.c has no code for $(uname -m)"
cp jit inner
cat >contained.sh <<'END'
mount -t tmpfs none /tmp && mount -t proc none /proc
while [ ! -e stop ]; do
	./inner >>inner.pids
done
END
mkfifo stream
pk-record -F 999 -e $event -g -o stream -- unshare --mount --pid --fork sh contained.sh 2>err &
recorder=$!
tee out.pk <stream | pk-inject -q | tee injected.pk | pk-symbolize -q >symbolized.pk &
# It runs until names have come out at the end.
for _ in $(seq 100); do
	pk-fold -q symbolized.pk >folded 2>/dev/null
	! grep -q '^inner;.*;run_jitted;jitted one' folded || break
	sleep 0.2
done
touch stop
kill $recorder
wait
pk-fold -q symbolized.pk >folded 2>err || fail "$(cat err)"
shows inner 'main;jit;run_jitted;jitted one' 10
# Gone is gone, but for what the stream has kept.
fold out.pk
shows_not 'jitted one'
fold injected.pk
shows inner 'main;jit;run_jitted;jitted one' 10
exit 0
