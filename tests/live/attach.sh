# SPDX-License-Identifier: BSD-2-Clause
# What runs already has names too: its maps are listed by the recorder. A process with its threads, one
# thread alone, and everything at once.
. "$PK_TOP/tests/live/fold.bash"

for name in alpha beta; do
	compile work.c $name -pthread || fail "$(cat compile.err)"
done
many()
{
	for _ in $(seq 200); do printf '%s ' "$@"; done
}
# shellcheck disable=SC2046 # words on purpose
{
	./alpha $(many threads calls) &
	alpha=$!
	./beta $(many recursion kernel) &
	beta=$!
}
trap 'kill $alpha $beta 2>/dev/null' EXIT
for pid in $alpha $beta; do
	while ! grep -q '/\(alpha\|beta\)$' /proc/$pid/maps; do sleep 0.01; done
done

pk-record -F 999 -e $event -g -p $alpha -- bash -c "used $alpha 200" 2>err >out.pk || { locked_out err; fail "-p: $(cat err)"; }
check out.pk
fold out.pk
shows alpha 'main;outermost;middle;innermost;burn' 20
shows thread_one 'run_one;burn' 20
shows thread:two 'run_two;burn' 20
shows_not '\[alpha\]|^beta'

# With -d what it has of data, too.
pk-record -q -d -e cpu-clock -p $alpha --for 20ms -o out.pk 2>err || fail "-d: $(cat err)"
pk-script -q --show-mmap-events out.pk >maps
for kind in r-xp rw-p; do
	grep -q "MMAP2 $alpha/$alpha: .*: $kind .*/alpha$" maps || fail "-d: no maps of $kind: $(cat maps)"
done

pk-record -F 999 -e $event -g -t $alpha -- bash -c "used $alpha 200" >out.pk 2>err || fail "-t: status $?: $(cat err)"
check out.pk
fold out.pk
shows alpha 'main;outermost;middle;innermost;burn' 20
shows_not '\[alpha\]|^beta'

pk-record -F 999 -e $event -a --for 20ms -o out.pk 2>err || skip "no recording of everything: $(head -n 1 err)"
pk-record -F 999 -e $event -g -a -- bash -c "used $alpha $beta 200" 2>err >out.pk || fail "-a: status $?: $(cat err)"
check out.pk
fold out.pk
shows alpha 'main;outermost;middle;innermost;burn' 20
shows thread_one 'run_one;burn' 20
shows thread:two 'run_two;burn' 20
shows beta 'main(;recurse){10};burn' 20
shows beta 'main;read_zeros' 20
shows_not '\[(alpha|beta)\]'
exit 0
