# SPDX-License-Identifier: BSD-2-Clause
# pk-record --check says what recordings do: each line is compared with one.
without_recording=1
. "$PK_TOP/tests/live/record.bash"

# compare LINE PROGRAM...: the line says yes if and only if the recording works. Recordings of user space after a message
# do not count as those of the kernel.
compare()
{
	local line=$1 answer=no said
	shift
	"${as[@]}" "$@" >compared 2>messages && ! grep -q 'user space only' messages && answer=yes
	said=$(sed -n "s/^$line  *\([a-z]*\).*/\1/p" checked)
	[ "$said" = $answer ] || fail "${as[*]} $line: $said, but $* does: $answer: $(cat messages checked)"
}

all_lines()
{
	"${as[@]}" pk-record --check >checked 2>err
	status=$?
	[ ! -s err ] || [ $status = 1 ] || fail "${as[*]}: stderr: $(cat err)"
	[ "$(wc -l <checked)" -ge 11 ] || fail "${as[*]}: lines are missing: $(cat checked)"
	grep -E '^[a-z].* no$' checked && fail 'no reason'
	compare 'own programs' pk-record -q -e cpu-clock:u -- true
	[ "$status $answer_own" = '0 yes' ] || [ "$status $answer_own" = '1 no' ] || fail "${as[*]}: status $status: $(cat checked)"
	compare 'kernel in own programs' pk-record -e cpu-clock -- true
	compare 'all programs (-a)' pk-record -q -a -e cpu-clock -- true
	compare 'hardware counters' pk-record -q -e instructions:u -- true
	compare 'tracepoints' pk-record -q -e sched:sched_switch -- true
	compare 'blocked time (--off-cpu)' pk-record -q --off-cpu -e dummy -- true
	compare 'unwinding in the kernel' pk-record -q --call-graph unwind -e cpu-clock:u -- true
	"${as[@]}" pk-record --call-graph fp,defer -e cpu-clock:u -- true >compared 2>messages || return 0
	[ "$(grep -c 'missing in this kernel .*deferred callchains' checked)" = "$(grep -c 'cannot defer callchains' messages)" ] ||
		fail "${as[*]}: deferred callchains: $(cat messages checked)"
}
as=(env)
pk-record --check >checked 2>err
answer_own=$(sed -n 's/^own programs  *\([a-z]*\).*/\1/p' checked)
all_lines
grep -q "^user  *uid $(id -u) with" checked || fail "$(head -n 1 checked)"

# A limit for this user is reported before the filter.
why='a container.s seccomp filter forbids it'
[ "$(id -u)" = 0 ] || [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -le 2 ] || why='kernel.perf_event_paranoid is'
if deny_perf 1 true; then
	pk-record --version >/dev/null
	deny_perf 1 pk-record --check >checked 2>err
	[ $? = 1 ] || fail "without perf_event_open: status 0"
	[ "$(grep -c "$why" checked)" -ge 3 ] || fail "seccomp: $(cat checked)"
fi
pk-record --check >/dev/full 2>err && fail "a full disk is no error"

# Where /proc is not mounted, root keeps its capabilities.
user=$(pk-record --check | head -n 1)
# shellcheck disable=SC2016 # variables of the other shell
if unshare --mount sh -c 'mount -t tmpfs none /proc 2>mounted && exec pk-record --check >checked 2>err'; then
	[ "$(head -n 1 checked)" = "$user" ] || fail "without /proc: $(head -n 1 checked), not $user"
	grep -q '^sampling frequency  *unknown: ' checked || fail "without /proc: $(cat checked)"
elif [ ! -s mounted ] && [ -s checked ]; then
	[ "$(head -n 1 checked)" = "$user" ] || fail "without /proc: $(head -n 1 checked), not $user"
fi

if [ "$(id -u)" != 0 ] || ! command -v setpriv >/dev/null; then exit 0; fi
# A folder that the other user can enter.
place=$(TMPDIR=/tmp mktemp -d)
trap 'rm -r "$place"' EXIT
chmod 755 "$place"
cp "$PK_BIN/pk-record" "$place"
PATH=$place:$PATH
chmod 777 .
as=(setpriv --reuid=65534 --regid=65534 --clear-groups)
"${as[@]}" pk-record --check >checked 2>err
answer_own=$(sed -n 's/^own programs  *\([a-z]*\).*/\1/p' checked)
all_lines
grep -q 'uid 65534 with none of the capabilities' checked || fail "$(head -n 1 checked)"
grep -q '^more for this user  *PERMISSIONS' checked || fail "no remedy: $(cat checked)"
# With a capability, as setcap gives it.
as+=(--inh-caps=+cap_38 --ambient-caps=+cap_38)
if [ "$("${as[@]}" awk '/^CapEff/ { print $2 }' /proc/self/status 2>/dev/null)" = 0000004000000000 ]; then
	all_lines
	grep -q 'uid 65534 with CAP_PERFMON$' checked || fail "$(head -n 1 checked)"
	grep -q '^all programs (-a)  *yes' checked || [ "$answer_own" = no ] || fail "CAP_PERFMON: $(cat checked)"
fi
as=("${as[@]::4}")
# The memory that this user may lock is less than usual.
(ulimit -l 0 && exec "${as[@]}" prlimit --memlock=0 pk-record --check) >checked 2>err
grep -q '^locked memory  *\(yes\|no\|less than usual\)' checked || [ "$answer_own" = no ] || fail "$(cat checked)"
exit 0
