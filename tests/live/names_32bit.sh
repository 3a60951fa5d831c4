# SPDX-License-Identifier: BSD-2-Clause
# A 32-bit program on a 64-bit kernel.
. "$PK_TOP/tests/live/fold.bash"

compile work.c work32 -m32 -pthread || skip "no compiler for 32-bit programs: $(tail -n 1 compile.err)"
./work32 || skip "32-bit programs do not run here"
pk-record -F 999 -e $event -g -- ./work32 calls recursion cxx kernel fork exec threads >out.pk 2>err ||
	fail "status $?: $(cat err)"
silent err
check out.pk
fold out.pk
shows work32 'main;outermost;middle;innermost;burn' 50
shows work32 'main(;recurse){10};burn' 50
shows work32 'main;outer::inner<int>::run;burn' 50
[ $event != cpu-clock ] || shows work32 'main;read_zeros' 50
shows work32 'main;fork_and_wait;forked;burn' 50
shows renamed 'main;executed;burn' 50
shows thread_one 'run_one;burn' 50
shows thread:two 'run_two;burn' 50
shows_not '\[work32\]'
exit 0
