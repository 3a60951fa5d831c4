# SPDX-License-Identifier: BSD-2-Clause
# Sizes, types of terminals, no terminal, a terminal that is closed, damaged input, names.
. "$PK_TOP/tests/cli/pk-top/screen.bash"
symbolized | assemble >all.pk
echo "==== another size"
start 'pk-top all.pk'
await 'has ended'
in_terminal resize-window -x 50 -y 9
shot '\(appr$'
in_terminal resize-window -x 20 -y 4
shot '^Samples: 9 of event$'
in_terminal resize-window -x 9 -y 2
shot '^Samples:$'
in_terminal resize-window -x 100 -y 12
shot '^the input has ended.*quit'
keys q
ended
for terminal in vt100 dumb no-such-terminal; do
	echo "==== $terminal"
	leaks=1
	[ $terminal != no-such-terminal ] || leaks=0 # ncurses has one then
	size=60x10 start "TERM=$terminal ASAN_OPTIONS=detect_leaks=$leaks pk-top all.pk 2>err"
	case $terminal in
	vt100)
		shot 'has ended'
		keys q
		;;
	esac
	ended
	cat err
done
unset terminal
echo "==== colors"
start "env -u NO_COLOR TERM=screen pk-top all.pk"
await 'has ended'
in_terminal capture-pane -p -e | grep -c $'\e\\[31m'
keys q
ended
start "NO_COLOR=1 TERM=screen pk-top all.pk"
await 'has ended'
in_terminal capture-pane -p -e | grep -c $'\e\\[3[12]m'
keys q
ended
echo "==== no terminal"
setsid pk-top all.pk </dev/null 2>&1
echo "status $?"
echo "==== the terminal is closed"
start 'trap "" HUP; pk-top all.pk; echo $? >lost'
await 'has ended'
in_terminal kill-server
for ((i = 0; i < 200; i++)); do
	[ ! -e lost ] || break
	sleep 0.05
done
cat lost
# With the default action of SIGHUP, and while it reads: the program before it ends, too.
mkfifo endless
exec 4<>endless
cat all.pk >&4
start "sh -c 'echo \$\$ >pid; exec pk-top <endless'"
await 'Samples: [1-9]'
in_terminal kill-server
for ((i = 0; i < 200; i++)); do
	kill -0 "$(cat pid)" 2>/dev/null || break
	sleep 0.05
done
kill -0 "$(cat pid)" 2>/dev/null && echo "it still runs"
exec 4>&-
echo "==== damaged"
head -c 2000 all.pk >cut.pk
size=76x12 start 'pk-top cut.pk 2>err'
shot 'has ended|offset|end'
press 'has ended' x
keys q
ended
cat err
echo "==== no input"
start 'pk-top no-such-file 2>err'
ended
cat err
start 'pk-top 2>err'
ended
cat err
echo "==== names"
symbolized_names()
{
	symbolized | sed -E 's/^STRING id=2 .*/STRING id=2 length=14 text="m\\x1b[31m\\xe2\\x80\\xae\\xff\\x0ax"/; s/^STRING id=3 .*/STRING id=3 length=7 text="\\xe5\\xad\\x97x\\xc3\\xa9"/'
}
symbolized_names | assemble >names.pk
size=60x14 start 'pk-top --by symbol --no-children -e cpu-clock names.pk'
shot 'has ended'
keys q
ended
size=60x14 start 'LC_ALL=C pk-top --by symbol --no-children -e cpu-clock names.pk'
shot 'has ended'
keys q
ended
