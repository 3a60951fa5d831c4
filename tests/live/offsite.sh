# SPDX-License-Identifier: BSD-2-Clause
# A recording that pk-inject has been over is folded into the same lines on a machine that has none of the
# recorded files; so is one whose objects pk-archive has taken along.
. "$PK_TOP/tests/live/elsewhere.bash"

make_elsewhere
compile inlines.c inlines -g -O2 || fail "$(cat compile.err)"
compile jit.c jit || fail "$(cat compile.err)"
compile work.c w -g || fail "$(cat compile.err)" # inlines is over before a sample is taken of it
pk-record -F 999 -e $event -g -o out.pk -- sh -c './inlines; ./jit >pid; exec ./w calls calls' 2>err || fail "$(cat err)"
trap 'rm -f "/tmp/perf-$(cat pid).map"' EXIT
pk-inject -o portable.pk out.pk 2>err || fail "pk-inject: $(cat err)"
check portable.pk
grep -qx "$SAMPLE $(stream_check out.pk | awk -v t=$SAMPLE '$1 == t { print $2 }')" counts || fail "samples are missing"

# The other root directory is empty indeed.
folded_there out.pk
! grep -qE 'innermost|run_jitted' there || fail "elsewhere there are files"

same_there out.pk portable.pk "with inlined functions"
grep -q 'outermost;middle;innermost' here || fail "no names here"
same_there out.pk portable.pk "without" --no-inline
same_there portable.pk portable.pk "here, too"
[ ! -s pid ] || grep -qE ';jitted' here || fail "no names of jitted code"

# Lines: those of every frame.
frames()
{
	"$@" --dump | sed -n '/definition=6 (FRAME)/,/symbol_start/p' | grep -E ' (function|file|line|column)='
}
pk-symbolize -q --lines out.pk | frames pk-script >lines.here
there pk-symbolize -q --lines <portable.pk 2>err | frames pk-script >lines.there
cmp lines.here lines.there || fail "lines are different"
grep -q 'line=[1-9]' lines.here || fail "no lines"

# By parts: what is not chosen is not there.
pk-inject --symbols out.pk 2>err >parts.pk || fail "$(cat err)"
folded_there parts.pk
grep -q 'outermost;middle;innermost' there || fail "--symbols: no names"
! grep -q ';jitted' there || fail "--symbols: names of --jit"
pk-script --dump parts.pk | grep -q 'definition=13' && fail "--symbols: lines"
pk-inject --lines out.pk 2>err >lines.pk || fail "$(cat err)"
pk-script --dump lines.pk | grep -q 'definition=12' && fail "--lines: symbols"
there pk-symbolize -q --lines <lines.pk 2>err | frames pk-script >lines.there
grep -q 'line=[1-9]' lines.there || fail "--lines: no lines"
pk-symbolize -q --lines lines.pk | frames pk-script >lines.both
cmp lines.here lines.both || fail "--lines: other lines here"
pk-inject --symbols=all --kernel=all out.pk 2>err >whole.pk || fail "$(cat err)"
at_least "$(pk-script --dump whole.pk | grep -c 'symbol\[.*name=')" 200 "--symbols=all: symbols"

# Live: nothing is held back, and the names are the same.
mkfifo stream
pk-record -F 999 -e $event -g -o stream -- ./inlines 2>err &
tee live.pk <stream | pk-inject -q >injected.pk
wait
same_there live.pk injected.pk "live"

perf_reads portable.pk
! command -v perf >/dev/null || {
	perf script -i out.pk >text.out 2>/dev/null
	perf script -i portable.pk >text.portable 2>/dev/null
	cmp text.out text.portable || fail "perf sees something else"
}

# The objects, in the place of the names.
pk-inject -q --build-ids -o ids.pk out.pk
pk-archive -q -o objects.tar ids.pk 2>err || fail "pk-archive: $(cat err)"
pk-archive -q ids.pk >again.tar
# The symbols of the running kernel change when somebody loads a BPF program.
same_archives()
{
	cmp objects.tar again.tar && return
	tar --wildcards --delete -f - '*kallsyms' <objects.tar >objects
	tar --wildcards --delete -f - '*kallsyms' <again.tar >again
	cmp objects again
}
same_archives || fail "two archives of the same are different"
pk-archive -q -z ids.pk | zstd -dqc >again.tar
same_archives || fail "-z: another archive"
mkdir -p elsewhere/home/.debug
tar -x -f objects.tar -C elsewhere/home/.debug || fail "tar does not like the archive"
# Jitted code is in no file (its names are in a perf map); a sample of its first instruction lacks its caller, run_jitted.
pk-symbolize -q ids.pk | pk-fold -q | grep -vE ';(run_jitted;|[jJ]itted|in_memfd|\[memfd:|\[perf-)' >here
there pk-symbolize -q <ids.pk 2>err | pk-fold -q | grep -vE ';(run_jitted;|[jJ]itted|in_memfd|\[memfd:|\[perf-)' >there
cmp -s here there || fail "archive:" "$(diff here there | cut -c1-300 | head -n 20)"
exit 0
