# SPDX-License-Identifier: BSD-2-Clause
# Whatever ends a recording, the programs after it in the pipe print its samples, with status 0.
. "$PK_TOP/tests/live/fold.bash"

compile work.c w -pthread || fail "$(cat compile.err)"

mapfile -t forever < <(yes calls | head -n 1000)

of_stacks='frames unresolved$|stacks truncated|code without frame pointers$|no frame pointers in |symbols are missing'

# pipeline STATUS ARGUMENT...: records and folds. The programs end with these statuses, and print no messages but those about
# stacks, which depend on where samples fall.
pipeline()
{
	local expected=$1 status
	shift
	pk-record -F 999 -e $event -g "$@" 2>record.err | pk-symbolize 2>symbolize.err | pk-fold >folded 2>fold.err
	status=${PIPESTATUS[*]}
	[ "$status" = "$expected" ] || fail "$*: status $status: $(cat ./*.err)"
	! grep -hvE "$of_stacks" record.err symbolize.err fold.err || fail "$*: said that"
}

pipeline '3 0 0' -- sh -c './w calls; exit 3'
shows w 'main;outermost;middle;innermost;burn' 50
pipeline '139 0 0' -- sh -c './w recursion; kill -SEGV $$'
shows w 'main(;recurse){10};burn' 50
pipeline '0 0 0' --for 1s -- ./w "${forever[@]}"
shows w 'main;outermost;middle;innermost;burn' 20

# Nothing was written: the other programs report it.
pk-record -e $event -g -- ./no-such-program 2>record.err | pk-symbolize 2>symbolize.err | pk-fold >folded 2>fold.err
[ "${PIPESTATUS[*]}" = '127 1 1' ] || fail "no such program: status ${PIPESTATUS[*]}"
[ "$(wc -l <record.err)" = 1 ] && grep -q 'no-such-program: No such file or directory' record.err ||
	fail "no such program: $(cat record.err)"
[ ! -s folded ] || fail "no such program: $(cat folded)"

# Interrupted, as by Ctrl-C in a shell script that waits for the rest of the pipe.
for signal in INT TERM; do
	./w "${forever[@]}" &
	worker=$!
	trap 'kill $worker 2>/dev/null' EXIT
	rm -f symbolized.pk
	mkfifo stream
	pk-record -F 999 -e $event -g -p $worker >stream 2>record.err &
	recorder=$!
	pk-symbolize <stream 2>symbolize.err >symbolized.pk &
	symbolizer=$!
	# Something has arrived already, while the recording goes on.
	while ! pk-fold -q symbolized.pk 2>/dev/null | grep -q innermost; do sleep 0.05; done
	kill -$signal $recorder
	wait $recorder || fail "SIG$signal: status $?: $(cat record.err)"
	wait $symbolizer || fail "SIG$signal: pk-symbolize: status $?: $(cat symbolize.err)"
	kill $worker
	rm stream
	check symbolized.pk
	pk-fold symbolized.pk >folded 2>fold.err || fail "SIG$signal: $(cat fold.err)"
	shows w 'main;outermost;middle;innermost;burn' 5
	! grep -hvE "$of_stacks" record.err symbolize.err fold.err || fail "SIG$signal: said that"
done

# The end of the pipe has had enough: the others end too, quietly.
pk-record -F 999 -e $event -g -- ./w "${forever[@]}" 2>record.err | pk-symbolize 2>symbolize.err |
	head -c 2000 >/dev/null
[ "${PIPESTATUS[*]}" = '141 141 0' ] || fail "a broken pipe: status ${PIPESTATUS[*]}"
! grep -hvE "$of_stacks" record.err symbolize.err || fail "a broken pipe: said that"
exit 0
