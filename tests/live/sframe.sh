# SPDX-License-Identifier: BSD-2-Clause
# A program without .eh_frame and without frame pointers is unwound by its .sframe, from stack dumps and in the kernel.
. "$PK_TOP/tests/live/fold.bash"
[ "$(uname -m)" = x86_64 ] || skip "the program is one for x86-64"

cp "$PK_TOP/tests/data/sframe/spin" . && chmod +x spin
# The kernel writes an empty dump if the stack pointer is near the end of a page, and the next page is not in memory. The program
# touches only one page, so this happens by the random start of its stack.
for _ in 1 2 3 4 5 6; do
	pk-record -q -F 999 -e $event --call-graph dwarf,1024 -o dumps.pk -- ./spin 2>err ||
		skip "registers and stack cannot be recorded here: $(head -n 1 err)"
	pk-unwind dumps.pk >unwound.pk 2>said || fail "pk-unwind: $(cat said)"
	pk-script --dump dumps.pk 2>/dev/null | grep -q 'user_stack=0:' || break
done
fold unwound.pk
[ "$(weight 'spin;_start;outer;inner(;.*)?')" -ge "$(($(weight 'spin;.*') * 98 / 100))" ] || fail "dumps: $(cat folded said)"

pk-record -q -F 999 -e $event --call-graph unwind -o stacks.pk -- ./spin 2>err ||
	skip "stacks cannot be unwound in the kernel here: $(tail -n 1 err)"
fold stacks.pk
[ "$(weight 'spin;_start;outer;inner(;.*)?')" -ge "$(($(weight 'spin;.*') * 98 / 100))" ] || fail "kernel: $(cat folded err)"
exit 0
