# SPDX-License-Identifier: BSD-2-Clause
# long
# -G: samples of tasks in control groups, one for each event or one for all; --all-cgroups: which group each sample is of.
. "$PK_TOP/tests/live/record.bash"

[ "$(id -u)" = 0 ] || skip "only root makes control groups"
may_record_all || skip "not allowed to record everything: $(head -n 1 all.err)"
# Where there is none, in a mount namespace of our own.
root=$(awk '$3 == "cgroup2" || $3 == "cgroup" && $4 ~ /perf_event/ { print ($3 == "cgroup2"), $2 }' /proc/self/mounts | sort | head -n 1 | cut -d ' ' -f 2)
if [ -z "$root" ]; then
	[ -z "${inside-}" ] || skip "no control groups here"
	unshare --mount true 2>/dev/null || skip "no mount namespaces here"
	mkdir mounted
	inside=1 exec unshare --mount bash -c 'mount -t cgroup2 none mounted; exec bash "$0"' "$PK_TOP/tests/live/record_cgroup.sh"
fi
base=pk-test-$$
mkdir "$root/$base" "$root/$base/one" "$root/$base/two" 2>mkdir.err || {
	rmdir "$root/$base" 2>/dev/null
	skip "no control groups can be made: $(cat mkdir.err)"
}
spinners=()
cleanup()
{
	local group
	exec 2>/dev/null
	kill "${spinners[@]}" && kill -CONT "${spinners[@]}" && wait
	for group in late one two; do rmdir "$root/$base/$group"; done
	rmdir "$root/$base"
}
trap cleanup EXIT

# spin GROUP: one that spins in it.
spin()
{
	(echo 0 >"$root/$base/$1/cgroup.procs" && exec spinner 100) &
	spinners+=($!)
}
spin one
one=$!
spin two
two=$!
spinner 100 &
spinners+=($!)
while ! grep -q "$base/one" /proc/$one/cgroup || ! grep -q "$base/two" /proc/$two/cgroup; do sleep 0.02; done

# They spin only while something records them.
while_spinning()
{
	kill -CONT "${spinners[@]}"
	"$@"
	local status=$?
	kill -STOP "${spinners[@]}"
	return $status
}
kill -STOP "${spinners[@]}"

# group OPTION...: records until both have used so much time; which event saw which process is in the file seen.
group()
{
	while_spinning pk-record -F 199 "$@" -o out.pk -- bash -c "used $one $two 40" 2>err || fail "$*: $(cat err)"
	check out.pk
	# A task that has ended is sampled with the pid -1.
	pk-script -q -F pid,event out.pk | sed "s/^ *$one /one /; s/^ *$two /two /; s/^ *-*[0-9][0-9]* /other /" |
		awk '{ print $1, $2 }' | sort -u | paste -sd ' ' >seen
}
saw()
{
	[ "$(cat seen)" = "$1" ] || fail "$2: $(cat seen)"
}
group -e cpu-clock/name=a/,cpu-clock/name=b/ -G $base/one,$base/two
saw 'one a: two b:' 'a group for each event'
group -e cpu-clock/name=a/,cpu-clock/name=b/ -G $base/two
saw 'two a: two b:' 'a group for all events'
group -e cpu-clock/name=a/,cpu-clock/name=b/,cpu-clock/name=c/ -G $base/two,,$base/one
saw 'one b: one c: other b: two a: two b:' 'none for the second event'
group -e cpu-clock/name=a/ -e cpu-clock/name=b/ -G $base
saw 'one a: one b: two a: two b:' 'groups in a group'
for path in "/$base/one" "$(realpath "$root")/$base/one"; do
	group -e cpu-clock/name=a/ -G "$path"
	saw 'one a:' "$path"
done

pk-record -e cpu-clock -G $base/three --for 100ms -o none.pk 2>err
[ $? = 1 ] && grep -q "no such control group below .*$root" err || fail "a group that is not there: $(cat err)"
pk-record -e cpu-clock,task-clock -G $base/one,$base/two,$base/one --for 100ms -o none.pk 2>err
grep -q 'more control groups than events' err || fail "too many groups: $(cat err)"
[ ! -e none.pk ] || fail "something was written"

# Names of groups: of those that are there, and of one that comes.
while_spinning pk-record -a -F 199 -e cpu-clock --all-cgroups -o all.pk -- bash -c \
	"mkdir $root/$base/late && (echo 0 >$root/$base/late/cgroup.procs && exec spinner 0.2); used $one $two 100" 2>err ||
	fail "--all-cgroups: $(cat err)"
check all.pk
at_least "$(records 19)" 4 "control groups"
pk-fold -q --weight samples --by cgroup,pid all.pk | sed 's/;\(pid=[0-9]*\).* \([0-9]*\)$/ \1 \2/' >groups
for pair in "one $one" "two $two"; do
	grep -q "^cgroup=/.*$base/${pair% *} pid=${pair#* } " groups || grep -q "^cgroup=/$base/${pair% *} pid=${pair#* } " groups ||
		fail "no samples of ${pair% *}: $(cut -d ' ' -f 1,2 groups | sort -u)"
done
grep -q "^cgroup=/.*$base/late " groups || fail "no samples of the group that came: $(cut -d ' ' -f 1,2 groups | sort -u)"
! grep "pid=$one " groups | grep -v "$base/one" || fail "in another group"
! grep '^cgroup=unknown' groups || fail "groups without a name"
perf_reads all.pk

# What is mounted inside of the hierarchy is none of its groups.
other=$(awk -v root="$root" '$3 == "cgroup" && $2 != root { print $2; exit }' /proc/self/mounts)
if [ -n "$other" ] && unshare --mount true 2>/dev/null; then
	unshare --mount bash -c "mount --bind '$other' '$root/$base/two' &&
		pk-record -a -e cpu-clock --all-cgroups --for 10ms -o mounted.pk" 2>err || fail "a mount inside: $(cat err)"
	pk-script --dump mounted.pk >mounted
	grep -q "path=.*$base/one" mounted || fail "no group beside the mount"
	! grep "path=.*$base/two" mounted || fail "groups of another file system"
fi
exit 0
