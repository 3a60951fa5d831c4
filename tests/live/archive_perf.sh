# SPDX-License-Identifier: BSD-2-Clause
# perf finds the objects that pk-archive has taken along when the program itself is gone, in recordings of perf
# and of pk.

. "$PK_TOP/tests/live/fold.bash"

command -v perf >/dev/null || skip "no perf (package linux-perf)"
compile work.c program -g || fail "$(cat compile.err)"
mkdir none cache
perf --buildid-dir "$PWD/none" record -q --no-bpf-event -N -e $event -F 999 -g -o perf.data ./program calls calls 2>err ||
	skip "perf record: $(head -n 1 err)"
pk-record -F 999 -e $event -g -o out.pk -- ./program calls calls 2>err || fail "$(cat err)"

# How many frames perf names so.
named()
{
	perf --buildid-dir "$PWD/$1" script -i "$2" 2>/dev/null | grep -cE '(outermost|innermost)(\+0x[0-9a-f]+)? '
}

for f in perf.data out.pk; do
	named none $f >$f.before
	at_least "$(cat $f.before)" 10 "$f: names before"
	pk-archive -q $f 2>err | tar -xf - -C cache || fail "$f: $(cat err)"
done
mv program gone
for f in perf.data out.pk; do
	[ "$(named none $f)" = 0 ] || fail "$f: names without the program"
	[ "$(named cache $f)" = "$(cat $f.before)" ] || fail "$f: $(named cache $f) names, not $(cat $f.before)"
	PERF_BUILDID_DIR=$PWD/cache HOME=/nonexistent fold $f
	grep -q ';innermost' folded || fail "$f: pk has no names"
done
exit 0
