# SPDX-License-Identifier: BSD-2-Clause
# However a recording ends, the stream is whole.
. "$PK_TOP/tests/live/record.bash"

for signal in INT TERM HUP; do
	pk-record -e cpu-clock -F 99 -p $$ -o out.pk 2>err &
	recording $!
	kill -$signal $!
	wait $! || fail "SIG$signal: status $?: $(cat err)"
	silent err
	check out.pk
done

# With a command, which is ended too.
pk-record -e cpu-clock -F 99 -o out.pk -- sleep 60 2>err &
recording $!
kill -TERM $!
wait $!
[ $? = 143 ] || fail "SIGTERM with a command: $(cat err)"
check out.pk

# The time is over, without and with a command.
pk-record -e cpu-clock -F 99 --for 200ms -p $$ -o out.pk || fail "--for: status $?"
check out.pk
pk-record -e cpu-clock -F 99 --for 200ms -o out.pk -- sleep 60 || fail "--for with a command: status $?"
check out.pk

# The process has ended.
sleep 2 &
timeout 20 pk-record -e cpu-clock -p $! -o out.pk || fail "the end of the process was not seen: $?"
check out.pk

# The reader has gone: quietly.
(
	pk-record -e cpu-clock -F 999 -g -- spinner 20 2>err
	echo $? >status
) | head -c 1000 >/dev/null
[ "$(cat status)" = 141 ] || fail "a broken pipe: status $(cat status)"
silent err

# A full disk: not quietly.
if [ -c /dev/full ]; then
	pk-record -e cpu-clock -o /dev/full -- true 2>err
	[ $? = 1 ] || fail "a full disk goes unnoticed"
	grep -q 'No space left on device' err || fail "said: $(cat err)"
fi
exit 0
