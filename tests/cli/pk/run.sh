# SPDX-License-Identifier: BSD-2-Clause
# What pk runs: statuses of the programs, signals, arguments, outputs.
export XDG_CONFIG_HOME=$PWD/config
mkdir -p config/pk bin "$PWD/a folder"
program()
{
	printf '#!/bin/bash\n%s\n' "$2" >"bin/$1"
	chmod +x "bin/$1"
}
# shellcheck disable=SC2016 # expands in the programs
{
	program words 'printf "<%s>" "$@"; echo'
	program ends 'cat; exit $1'
	program killed 'kill -$1 $$'
	program endless 'echo $PPID >pid; trap "echo recorder ended; exit 0" TERM INT; echo started; while :; do sleep 0.01; done'
	program slow 'cat >slow.out; echo the end >>slow.out'
	program stubborn 'cat >/dev/null; echo >waiting; while :; do sleep 0.01; done'
	program one 'read -r line; echo "$line"'
	program not-executable ''
}
chmod -x bin/not-executable
PATH=$PWD/bin:$PATH
cat >config/pk/commands <<'END'
test words: words $@ | cat
test ends: ends $@ | ends 0 | ends 0
test last: words $@ | ends 5 | ends 4
test middle: words $@ | ends 5 | cat
test killed: killed $@ | cat
test middle-killed: words a | killed KILL | cat
test missing: words a | no-such-program
test denied: words a | not-executable
test endless: endless | slow
test stubborn: endless | stubborn
test quits: endless | one
test quits-early: yes | one
test write: words $@ | tee ${output:-out.txt}
test show: words $@ | tee ${open:-shown.txt}
test input: pk-filter -q $@
test single: ends $@
END
pk()
{
	command pk -q "$@" 2>&1
	echo "status $?"
}
echo '== words'
# shellcheck disable=SC2016 # not expanded on purpose
pk words 'a b' '' '$(touch bad)' '; touch bad' '| touch bad' '*' '-q'
[ ! -e bad ] || echo 'an argument was interpreted'
command pk words a 2>&1
echo stdin | command pk -v single 3 2>&1
echo "status $?"
echo '== status'
for line in 'ends 0' 'ends 3' last middle 'killed TERM' 'killed PIPE' middle-killed missing denied quits-early; do
	# shellcheck disable=SC2086 # words on purpose
	{ echo "$line: $(pk $line </dev/null | tr '\n' ' ')"; }
done
echo '== signals'
wait_for()
{
	until [ -s "$1" ]; do sleep 0.02; done
}
for signal in INT TERM HUP; do
	rm -f pid slow.out
	# A background job of a script ignores SIGINT.
	env --default-signal=INT pk -q endless &
	wait_for slow.out
	wait_for pid
	kill -$signal "$(cat pid)"
	wait $!
	echo "$signal: status $?"
	cat slow.out
done
rm -f pid waiting
pk -q stubborn >stubborn.txt 2>&1 &
wait_for pid
kill "$(cat pid)"
wait_for waiting
(kill "$(cat pid)") # Two signals of one process at once are one request.
wait $!
cat stubborn.txt
echo '== the last program ends'
pk quits
echo '== outputs'
pk write a
cp out.txt in.txt
before=$(stat -c '%i %s %Y' in.txt)
for arguments in 'in.txt' '--file=in.txt' '-- ./in.txt'; do
	# shellcheck disable=SC2086 # words on purpose
	pk -o in.txt write $arguments
done
cp bin/words tool
chmod +x tool
PATH=$PWD:$PATH pk write -o tool -- tool
cmp bin/words tool
[ "$before" = "$(stat -c '%i %s %Y' in.txt)" ] || echo 'an input was changed'
(umask 0 && pk input -o private.pk "$PK_TOP/demo/demo.pk")
stat -c %a private.pk
command pk input -o private.pk "$PK_TOP/demo/demo.pk" 2>&1 | sed "s|$PK_TOP|.|"
echo '== a file that is opened'
unset DISPLAY WAYLAND_DISPLAY
program xdg-open '[ -s "$1" ] && echo "opens $1"; exit ${FAIL:-0}'
pk show a
DISPLAY=:0 pk show a
FAIL=4 WAYLAND_DISPLAY=wayland-0 pk -o other.txt show a
