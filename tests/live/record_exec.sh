# SPDX-License-Identifier: BSD-2-Clause
# A command that cannot be started: the status of a shell, and not a byte written.
. "$PK_TOP/tests/live/record.bash"

pk-record -e cpu-clock -- /nonexistent/program >out 2>err
[ $? = 127 ] || fail "not 127"
[ ! -s out ] || fail "something was written"
grep -q '^pk-record: /nonexistent/program: No such file' err || fail "said: $(cat err)"

if may_record_all; then
	pk-record -a -e cpu-clock -- no-such-command >out 2>err
	[ $? = 127 ] || fail "not 127 with -a: $(cat err)"
	[ ! -s out ] || fail "something was written with -a"
fi

touch plain
pk-record -e cpu-clock -- ./plain >out 2>err
[ $? = 126 ] || fail "not 126"
[ ! -s out ] || fail "something was written"
grep -q '^pk-record: ./plain: Permission denied' err || fail "said: $(cat err)"

# What is in a file stays there if nothing can be recorded.
echo old >old.pk
pk-record -e cpu-clock -p 4194305 -o old.pk 2>err && fail "recorded what is not there"
grep -qx old old.pk || fail "an older recording is lost"
exit 0
