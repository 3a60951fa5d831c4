# SPDX-License-Identifier: BSD-2-Clause
# Recordings of counts, both ways: pk-stat prints what perf stat record has written, as perf stat report does, letter
# by letter; and perf stat report prints what pk-stat --stream has written, as pk-stat does.
set -u
PATH=$PK_BUILD/tests/live:$PATH
status=0
fail()
{
	echo "$*"
	status=1
}
perf stat record -o perf.data -e page-faults -- true >out 2>&1 && perf stat report -i perf.data >out 2>&1 &&
	grep -q '^ *[0-9][0-9,]* .*page-faults' out || {
	echo "no perf that can record counts here" >&2
	exit 77
}
pk-stat -o /dev/null -e task-clock -- true || exit 1
wide=0
perf stat -a -x, -e cpu-clock -- true 2>&1 | grep -q '^[0-9]' && wide=1
some=task-clock,page-faults,context-switches,dummy
perf stat -x, -e cycles -- true 2>&1 | grep -q '^[0-9]' && some=$some,cycles,instructions,branches,branch-misses

# The same stream to both.
both()
{
	local file=$1
	shift
	perf stat report -i "$file" "$@" >perf.txt 2>&1
	pk-stat "$@" "$file" >pk.txt 2>err || fail "pk-stat $* $file: status $?: $(cat err)"
	grep -q page-faults pk.txt || fail "pk-stat $* $file prints: $(cat pk.txt err)"
	cmp -s perf.txt pk.txt || {
		fail "$file, $*:"
		diff perf.txt pk.txt
	}
}

# What pk-stat says of it itself is its command, where perf says "pipe".
ours()
{
	local file=$1
	shift
	perf stat report -i - "$@" <"$file" >perf.txt 2>&1
	pk-stat "$@" - <"$file" >pk.txt 2>err || fail "pk-stat $*: status $?: $(cat err)"
	grep -q page-faults pk.txt || fail "pk-stat $* of its own prints: $(cat pk.txt err)"
	sed -i "s/^ Performance counter stats for '.*':$/ X/" perf.txt pk.txt
	cmp -s perf.txt pk.txt || {
		fail "of our own, $*:"
		diff perf.txt pk.txt
	}
}

perf stat record -o file.data -e "$some" -- true >/dev/null 2>&1
both file.data
perf stat record -o - -e "$some" -- true >pipe.data 2>/dev/null
both pipe.data
perf stat record -o - -e '{page-faults,context-switches},duration_time' -- toucher 500 >pipe.data 2>/dev/null
both pipe.data
zstd -q -c pipe.data >pipe.zst
pk-stat pipe.zst >zst.txt && cmp -s zst.txt pk.txt || fail "what zstd has packed is printed otherwise"
cat pipe.data pipe.data >twice.data
pk-stat twice.data >twice.txt || fail "two streams: status $?"
cat pk.txt pk.txt | cmp -s - twice.txt || fail "two streams in one are not printed both"
pk-stat --stream -e "$some" -- true >ours.pk
ours ours.pk
pk-stat --stream --pre 'echo before' -e page-faults -- echo loud >loud.pk 2>loud.err
pk-stat loud.pk >/dev/null || fail "a command that prints spoils the stream"
[ "$(cat loud.err)" = "before
loud" ] || fail "what a command prints beside a stream: $(cat loud.err)"
pk-filter ours.pk | cmp -s - ours.pk && fail "pk-filter does not say that it was there"
pk-filter ours.pk >passed.pk && ours passed.pk
pk-stat --stream -I 20 -e page-faults -- toucher 2000 40 >ours.pk
ours ours.pk

if [ $wide = 1 ]; then
	perf stat record -a -o wide.data -e "$some" -- sleep 0.05 >/dev/null 2>&1
	for by in '' -A --per-core --per-die --per-socket --per-node; do
		both wide.data $by
	done
	for by in -A --per-core --per-die --per-socket --per-node; do
		perf stat record -a $by -o by.data -e "$some" -- sleep 0.01 >/dev/null 2>&1
		both by.data
	done
	perf stat record -C 0 -o - -A -e "$some" -- sleep 0.01 >one.data 2>/dev/null
	both one.data
	# With intervals perf's figures beside counts are those of all intervals so far.
	perf stat record -a -I 20 -o parts.data -e page-faults,context-switches -- sleep 0.05 >/dev/null 2>&1
	for by in '' -A --per-socket; do
		both parts.data $by
	done
	for by in '' -A --per-core --per-die --per-socket; do
		pk-stat --stream -a $by -e "$some" --timeout 20 >ours.pk
		ours ours.pk
	done
	pk-stat --stream -C 0 -A -e "$some" --timeout 20 >ours.pk
	ours ours.pk
fi

# Threads, those with most counts first
toucher 100 9000 &
pk-stat --stream --per-thread -p $! -e page-faults,context-switches --timeout 50 >ours.pk
ours ours.pk
perf stat record --per-thread -p $! -o threads.data -e page-faults,context-switches -- sleep 0.05 >/dev/null 2>&1
both threads.data
kill $!
wait 2>/dev/null

# The figures are the same in every format.
pk-stat -x, pipe.data >csv
perf stat report -i pipe.data >text 2>&1
while IFS=, read -r count _ name _; do
	case $name in duration_time*) continue ;; esac
	grep -qE "^ +$count +$name( |$)" text || fail "$name is not $count: $(cat text)"
done <csv
pk-stat -j pipe.data | grep -q '"event" : "page-faults' || fail "no JSON"

# What is no such recording is said.
pk-stat "$PK_TOP/README.md" >/dev/null 2>&1
[ $? = 126 ] || fail "a text is no recording, and no command"
pk-record -o samples.pk -e task-clock -- true 2>/dev/null && {
	pk-stat samples.pk >out 2>err
	[ $? = 1 ] && grep -q 'no counts' err || fail "samples are counts: $(cat out err)"
}
exit $status
