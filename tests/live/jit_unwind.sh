# SPDX-License-Identifier: BSD-2-Clause
# Stacks through code of a JIT compiler without frame pointers: pk-unwind has the unwinding information of its jitdump,
# in a pipe and from a file. Code without this information ends the stack.
. "$PK_TOP/tests/live/fold.bash"
[ "$(uname -m)" = x86_64 ] || skip "the compiler has no code for $(uname -m)"

compile unwound.c compiler -O2 -fomit-frame-pointer || fail "$(cat compile.err)"
record="pk-record -q -F 999 -k monotonic -e $event --call-graph dwarf,8192"
$record -o recorded.pk -- ./compiler rarely 2>err ||
	skip "registers and stack cannot be recorded here: $(head -n 1 err)"
pk-unwind recorded.pk >unwound.pk 2>said || fail "pk-unwind: $(cat said)"
check unwound.pk
fold unwound.pk
shows compiler '.*;main;run_jitted;unwound;burn_here(;[^;]*)*' 100
shows compiler 'unknown;burn_here(;[^;]*)*' 20
shows_not 'run_jitted;unknown'

$record -- ./compiler 2>err | pk-unwind -q | pk-symbolize -q | pk-fold -q >folded
[ "${PIPESTATUS[*]}" = '0 0 0 0' ] || fail "pipe: $(cat err)"
shows compiler '.*;main;run_jitted;unwound;burn_here(;[^;]*)*' 100

# Without the dump nothing is known.
rm jit-*.dump
pk-unwind -q recorded.pk | pk-symbolize -q | pk-fold -q >folded
shows_not 'run_jitted;unwound'
shows_not 'main;run_jitted;\[.*burn_here'
exit 0
