# SPDX-License-Identifier: BSD-2-Clause
# Probes at the first instruction of functions, recorded with registers and stack dumps: the caller is right where the
# function has call frame information, and in code that has none and keeps frame pointers.
. "$PK_TOP/tests/live/fold.bash"
[ -e /sys/bus/event_source/devices/uprobe ] || skip "this kernel has no uprobes"
[ "$(id -u)" = 0 ] || skip "needs root"

cat >calls.c <<'C'
__attribute__((noinline)) int leaf(int x) { __asm__ volatile("" : "+r"(x)); return x + 1; }
__attribute__((noinline)) int framed(int x) { volatile char room[200]; room[x] = (char)x; return leaf(x) + room[x]; }
__attribute__((noinline)) int caller(int x) { return framed(x) + leaf(x + 1); }
int main(void)
{
	int sum = 0;
	for (int i = 0; i < 20; i++)
		sum += caller(i);
	return sum == 1;
}
C
build() # PROGRAM OPTION...
{
	${CC:-cc} -O1 -fno-optimize-sibling-calls -o "$1" calls.c "${@:2}" 2>err || fail "$(cat err)"
}
build with-cfi -fomit-frame-pointer
build without-cfi -fno-omit-frame-pointer -fno-asynchronous-unwind-tables -fno-unwind-tables

for program in with-cfi without-cfi; do
	pk-record -q --call-graph dwarf,4096 -x ./$program --probe leaf --probe framed -o probes.pk -- ./$program 2>err ||
		skip "registers and stack cannot be recorded here: $(head -n 1 err)"
	pk-unwind -q probes.pk | pk-symbolize -q | pk-fold -q --weight samples >folded
	[ "$(weight '.*;main;caller;framed')" = 20 ] && [ "$(weight '.*;main;caller;framed;leaf')" = 20 ] &&
		[ "$(weight '.*;main;caller;leaf')" = 20 ] && [ "$(weight '.*')" = 60 ] || fail "$program:" "$(cat folded)"
done
exit 0
