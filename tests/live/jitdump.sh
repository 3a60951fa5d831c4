# SPDX-License-Identifier: BSD-2-Clause
# Code that a program tells of in a jitdump is named by what was at its address at the time of the sample, also
# elsewhere.
. "$PK_TOP/tests/live/elsewhere.bash"

compile dumped.c jitdump || fail "$(cat compile.err)"
pk-record -F 999 -k monotonic -e $event -g -o out.pk -- ./jitdump >pid 2>err
status=$?
[ $status != 77 ] || skip "dumped.c has no code for $(uname -m)"
[ $status = 0 ] || fail "status $status: $(cat err)"
fold out.pk
shows jitdump 'main;run_jitted;first' 100
shows jitdump 'main;run_jitted;second' 50
[ "$(weight 'jitdump;.*;second(;.*)?')" -le 80000000 ] || fail "second() was there for 50 ms only: $(cat folded)"

# Source lines, of code as it was loaded.
pk-symbolize -q --lines out.pk | pk-script --dump | grep -q 'text="/src/j"' || fail "no lines"
pk-symbolize -q out.pk | pk-script --dump | grep -A20 'definition=6 (FRAME)' | grep -q 'jit' || fail "no frame is of a JIT compiler"

# Without the file there are no names; in the stream they are.
pk-inject -q -o portable.pk out.pk || fail "pk-inject"
perf_reads portable.pk
cp folded here
mv "jit-$(cat pid).dump" dump
fold out.pk
shows_not 'run_jitted;(first|second)'
make_elsewhere
folded_there portable.pk
cmp -s here there || fail "here and elsewhere are different:" "$(diff here there | cut -c1-300 | head -n 20)"
exit 0
