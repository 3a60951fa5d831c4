# SPDX-License-Identifier: BSD-2-Clause
# Every function of a program is named, however the program is linked: what it calls, itself again,
# the kernel, in its threads, its children, and in what these execute.
. "$PK_TOP/tests/live/fold.bash"

# shows_calls COMM: what each is asked for.
shows_calls()
{
	shows "$1" 'main;outermost;middle;innermost;burn' 50
	shows "$1" 'main(;recurse){10};burn' 50
	shows_not "\[$1\]"
}

for link in pie no-pie static static-pie; do
	flags=("-$link")
	[ $link != pie ] || flags+=(-fPIE)
	[ $link != no-pie ] || flags+=(-fno-pie)
	[ $link != static-pie ] || flags+=(-fPIE)
	compile work.c "w-$link" "${flags[@]}" -pthread || fail "no $link program: $(cat compile.err)"
	pk-record -F 999 -e $event -g -- "./w-$link" calls recursion >out.pk 2>err || fail "status $?: $(cat err)"
	silent err
	check out.pk
	fold out.pk
	shows_calls "w-$link"
done

pk-record -F 999 -e $event -g -- ./w-pie calls recursion cxx kernel fork exec threads >out.pk 2>err ||
	fail "status $?: $(cat err)"
silent err
check out.pk
fold out.pk
shows_calls w-pie
shows w-pie 'main;outer::inner<int>::run;burn' 50
shows w-pie 'main;fork_and_wait;forked;burn' 50
shows renamed 'main;executed;burn' 50
shows thread_one 'run_one;burn' 50
shows thread:two 'run_two;burn' 50
if [ $event = cpu-clock ] && grep -q '^0*[1-9a-f][0-9a-f]* T vfs_read$' /proc/kallsyms; then
	shows w-pie 'main;read_zeros;.*;vfs_read' 30
elif [ $event = cpu-clock ]; then
	shows w-pie 'main;read_zeros' 50
fi
exit 0
