# SPDX-License-Identifier: BSD-2-Clause
# pk records and draws; Ctrl-C on a terminal ends the recorder, and the other programs finish.
. "$PK_TOP/tests/live/fold.bash"

compile work.c w -pthread || fail "$(cat compile.err)"

pk flame -F 999 -e $event -- ./w calls >out 2>err || fail "pk flame: status $?: $(cat err)"
grep -q '^pk: pk-record --call-graph auto -F 999 ' err && grep -q '^pk: the output is in flame.svg' err || fail "pk flame: $(cat err)"
grep -q 'innermost' flame.svg || fail 'flame.svg lacks a function'
[ "$(stat -c %a flame.svg)" = 600 ] || fail "flame.svg has mode $(stat -c %a flame.svg)"
pk report -e $event -- ./w calls >out 2>err || fail "pk report: status $?: $(cat err)"
grep -q innermost out || fail "pk report: $(cat out)"
pk -q report -e $event -- sh -c './w calls; exit 3' >out 2>err
[ $? = 3 ] || fail "the status of the command is lost: $(cat err)"

# timeout(1) sends its signal to pk, and then to all programs.
rm flame.svg
command -v setsid >/dev/null || skip "all but signals, which need setsid"
for signal in INT TERM; do
	rm -f flame.svg
	setsid -w pk flame -F 999 -e $event -- sh -c "./w calls; read -r _ _ _ _ group _ </proc/self/stat
		kill -$signal \$group; kill -$signal -- -\$group; while :; do ./w calls; done" >out 2>err
	grep -q 'the output is in flame.svg' err && grep -q 'innermost' flame.svg || fail "SIG$signal: $(cat err)"
done
# head ends early.
pk -o recorded.pk record -F 999 -e $event -- ./w calls >out 2>err || fail "pk record: $(cat err)"
pk report recorded.pk 2>err | true
! grep -q Broken err || fail "closed output: $(cat err)"

command -v python3 >/dev/null || {
	echo "all but Ctrl-C, which needs python3" >&2
	exit 77
}
# The terminal sends SIGINT to all programs when it reads Ctrl-C.
cat >terminal.py <<'END'
import os, pty, sys
pid, fd = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
text = b''
typed = False
while True:
    try:
        data = os.read(fd, 4096)
    except OSError:
        break
    if not data:
        break
    text += data
    if not typed and b'running' in text:
        os.write(fd, b'\x03')
        typed = True
sys.stdout.buffer.write(text)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
END
rm flame.svg
python3 terminal.py pk flame -F 999 -e $event -- sh -c './w calls; echo run""ning; while :; do ./w calls; done' >out 2>err
status=$?
[ $status = 130 ] || [ $status = 143 ] || fail "Ctrl-C: status $status: $(cat out err)"
grep -q 'innermost' flame.svg || fail "Ctrl-C: $(cat out err)"
grep -q 'the output is in flame.svg' out || fail "Ctrl-C: $(cat out err)"
