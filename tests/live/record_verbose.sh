# SPDX-License-Identifier: BSD-2-Clause
# pk-record -v prints the attrs that it has opened, which are those of the stream.
. "$PK_TOP/tests/live/record.bash"

pk-record -v -g -e cpu-clock,page-faults:u -o out.pk -- true 2>err || fail "$(cat err)"
sed -n 's/^pk-record: \(.*: type: .*\)/\1/p' err >said
[ "$(wc -l <said)" = 2 ] || fail "not two events: $(cat err)"
pk-script --header-only --events -v out.pk >written || fail "no events"
diff said <(grep ': type: ' written) || fail "other attrs"

# What the kernel refuses is not there.
pk-record -v --call-graph fp,defer -e cpu-clock -o out.pk -- true 2>err || fail "$(cat err)"
if grep -q 'cannot defer callchains' err; then
	! grep -q 'defer_callchain: 1' err || fail "deferred and not: $(cat err)"
else
	grep -q 'defer_callchain: 1' err || fail "not deferred: $(cat err)"
fi
exit 0
