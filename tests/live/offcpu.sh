# SPDX-License-Identifier: BSD-2-Clause
# --off-cpu: the time that threads are blocked, by where, against what they say of it themselves, and against the
# kernel's context switches.
. "$PK_TOP/tests/live/fold.bash"

compile blocker.c blocker -pthread || fail "$(cat compile.err)"
nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
if [ "$(id -u)" = 0 ] && [ "$("${nobody[@]}" cat /proc/sys/kernel/unprivileged_bpf_disabled)" != 0 ]; then
	expect 1 'off-cpu: bpf: .*: use root, or CAP_BPF' "${nobody[@]}" "$(command -v pk-record)" --off-cpu -- true
fi
if [ "$(id -u)" = 0 ] && unshare --pid --fork true 2>/dev/null; then
	expect 1 'off-cpu: not supported inside a pid namespace' unshare --pid --fork pk-record --off-cpu -- true
fi
powerless=(setpriv '--bounding-set=-bpf,-sys_admin' '--inh-caps=-bpf,-sys_admin')
if [ "$(id -u)" = 0 ] && "${powerless[@]}" true 2>/dev/null; then
	expect 1 'off-cpu: bpf: forbidden here: .*CAP_BPF and CAP_PERFMON' "${powerless[@]}" "$(command -v pk-record)" --off-cpu -- true
fi
pk-record -q --off-cpu -e dummy -o probe.pk -- true 2>err || skip "off-CPU time cannot be recorded here: $(tail -n 1 err)"

# offcpu FILE: its stacks of that event are in the file folded.
offcpu()
{
	pk-symbolize -q "$1" | pk-fold -q --event offcpu-time >folded || fail "$1: cannot be folded: $(pk-script --stats "$1" | tail -n 3): $(cat said)"
}

# blocked FUNCTION MILLISECONDS: at least nearly as long as it asked for, and no longer than it took by its own clock, which can
# differ from the clock of samples by 1 %.
blocked()
{
	local found own
	found=$(weight "blocker;.*;$1;.*")
	own=$(awk -v name="$1" '$1 == name { n += $3 } END { printf "%.0f\n", n }' said)
	[ "$found" -ge $(($2 * 900000)) ] && [ "$found" -le $((own + own / 100)) ] ||
		fail "$1: $found ns blocked, of $2 ms asked for, and $own ns that it took: $(grep -F "$1" folded)"
}

waits='thread:wait_for_ever thread:sleep_often sleep_less child:sleep_less wait_for_futex join'

# A command, its threads, its child; and one that is still blocked when its process ends.
schedule=schedule futex=futex
kernel_has_names || schedule='\[unknown\]' futex='\[unknown\]'
whole out.pk -g -- ./blocker $waits
offcpu out.pk
blocked sleep_often 200
blocked sleep_less 200
blocked wait_for_futex 150
[ "$(weight 'blocker;.*;wait_for_ever;.*')" -ge 300000000 ] || fail "who is killed blocked is not there: $(cat folded)"
[ "$(weight "blocker;.*;sleep_often;.*nanosleep.*;.*$schedule.*")" -ge 180000000 ] || fail "no frames of the kernel: $(cat folded)"
perf_reads out.pk
[ ! -e text ] || grep -q '^blocker .* offcpu-time: *$' text || fail "perf finds no such samples"

# All that can be told by itself: the kernel's half, the user's half, and only long blocks.
whole user.pk --off-cpu=20ms -e dummy --user-callchains -- ./blocker sleep_less wait_for_futex
offcpu user.pk
blocked wait_for_futex 150
if grep -q schedule folded; then fail "frames of the kernel in spite of --user-callchains: $(cat folded)"; fi
whole none.pk --off-cpu=1h -e dummy -- ./blocker sleep_less wait_for_futex
[ "$(records $SAMPLE)" = 0 ] || fail "short blocks are not left out: $(records $SAMPLE)"
whole kernel.pk -e dummy --kernel-callchains -k monotonic -- ./blocker wait_for_futex
offcpu kernel.pk
[ "$(weight "blocker;.*$futex.*")" -ge 135000000 ] || fail "no frames of the kernel: $(cat folded)"
if grep -q wait_for_futex folded; then fail "user frames in spite of --kernel-callchains: $(cat folded)"; fi
pk-script -q -F time,event kernel.pk | awk -v now="$(cut -d ' ' -f 1 /proc/uptime)" '{ n++; t = $1 + 0 } END { exit !(n && t <= now && t > now - 60) }' ||
	fail "times are not -k's: $(pk-script -q -F time,event kernel.pk | tail -n 1)"

# A process that is there already, and blocked: what it began before counts not, what it does then does.
attach()
{
	local pid recorder
	./blocker wait_for_input thread:sleep_often sleep_less join <go >said &
	pid=$!
	exec 3>go
	while [ "$(cut -d ' ' -f 2,3 /proc/$pid/stat)" != '(blocker) S' ]; do sleep 0.02; done
	pk-record --off-cpu -e dummy -p $pid -o p.pk 2>err &
	recorder=$!
	recording $recorder
	sleep 0.3
	echo >&3
	exec 3>&-
	wait $recorder || fail "-p: $(cat err)"
	check p.pk
	offcpu p.pk
}
mkfifo go
for _ in 1 2 3 4 5 6; do
	attach
	grep -q 'are missing' err || break
done
blocked sleep_often 200
blocked sleep_less 100
[ "$(weight '.*wait_for_input.*')" = 0 ] || fail "a block from before the recording: $(cat folded)"

# A process that is blocked all the time: its threads count from the start, with their stacks.
./blocker wait_for_input <go >said &
pid=$!
exec 3>go
while [ "$(cut -d ' ' -f 2,3 /proc/$pid/stat)" != '(blocker) S' ]; do sleep 0.02; done
for mode in fp auto; do
	begin=$(date +%s%N)
	pk-record --off-cpu -e dummy --call-graph $mode -p $pid --for 300ms -o asleep.pk 2>err || fail "asleep: $(cat err)"
	took=$(($(date +%s%N) - begin))
	check asleep.pk
	offcpu asleep.pk
	found=$(weight 'blocker;.*;read;.*')
	[ "$found" -ge 300000000 ] && [ "$found" -le $took ] || fail "asleep, $mode: $found ns of $took: $(cat folded)"
	[ "$mode" = fp ] || grep -q 'wait_for_input;' folded || fail "asleep, $mode: no callers: $(cat folded)"
done
exec 3>&-
wait $pid

# Blocked until the end of the recording, and of nothing but that.
begin=$(date +%s%N)
pk-record --off-cpu -e dummy --for 500ms -o end.pk -- ./blocker wait_for_ever 2>err
took=$(($(date +%s%N) - begin))
check end.pk
offcpu end.pk
found=$(weight 'blocker;.*;wait_for_ever;.*')
[ "$found" -gt 50000000 ] && [ "$found" -lt $took ] || fail "blocked for ever: $found ns of $took: $(cat folded)"

# Nobody reads the rings: what does not fit is told, and there is no more than there was.
pk-record --off-cpu -e dummy -m 8k -o lost.pk -- ./blocker sleep_shortly >said 2>err &
recorder=$!
recording $recorder
# Its child, once that has become the command.
blocker()
{
	awk -v parent=$recorder '/^Name:/ { name = $2 } /^Pid:/ { pid = $2 } /^PPid:/ && $2 == parent && name == "blocker" { print pid }' \
		/proc/[0-9]*/status 2>/dev/null
}
while pid=$(blocker) || :; [ -z "$pid" ]; do
	kill -0 $recorder 2>/dev/null || fail "ended early: $(cat err)"
done
kill -STOP $recorder
while [ "$(sed 's/.*) //; s/ .*//' /proc/$pid/stat)" != Z ]; do sleep 0.02; done
kill -CONT $recorder
wait $recorder || fail "-m 8k: $(cat err)"
grep -q 'lost: the rings were full' err || fail "-m 8k: losses are not said: $(cat err)"
check lost.pk
at_least "$(records 13)" 1 "LOST_SAMPLES"
offcpu lost.pk
[ "$(weight 'blocker;.*;sleep_shortly;.*')" -lt "$(awk '{ print $3 }' said)" ] || fail "more than there was"

for wrong in '--off-cpu --overwrite' --off-cpu=often; do
	pk-record $wrong -- true >out 2>err
	[ $? = 2 ] && [ ! -s out ] || fail "$wrong: not a usage error: $(cat err)"
done

# Each thread's time beside its context switches in the same recording: those of its own will. The two times are taken
# at different points of a switch, and a hypervisor can interrupt between them: one of three recordings must agree.
agree()
{
	whole both.pk --switch-events -e dummy -- ./blocker thread:sleep_often sleep_less child:sleep_less wait_for_futex join
	pk-script -q --json both.pk | sed -n \
		-e 's/^{"type":"SAMPLE",.*"tid":\([0-9]*\),.*"event":"offcpu-time","period":\([0-9]*\),.*/off \1 \2/p' \
		-e 's/^{"type":"SWITCH","misc":\([0-9]*\),.*"trailer.tid":\([0-9]*\),"trailer.time":\([0-9]*\),.*/switch \1 \2 \3/p' |
		awk '
			$1 == "off" { off[$2] += $3; all += $3 }
			$1 == "switch" && int($2 / 8192) % 4 == 1 { since[$3] = $4 }
			$1 == "switch" && int($2 / 8192) % 4 == 0 && since[$3] { sum[$3] += $4 - since[$3]; n[$3]++; since[$3] = 0 }
			END {
				for (tid in off) {
					difference = off[tid] - sum[tid]
					if (difference < 0) difference = -difference
					printf "%d: %d ns off CPU, %d ns between %d switches\n", tid, off[tid], sum[tid], n[tid]
					if (difference > 0.02 * sum[tid] + 1000000 + 50000 * n[tid]) bad++
				}
				exit bad || all < 500000000
			}' >>compared
}
agree || agree || agree || fail "not the time between switches: $(cat compared)"

# Everything: the same of this command, and nothing of who records.
may_record_all || skip "not allowed to record everything: $(head -n 1 all.err)"
whole all.pk -a -e dummy -- ./blocker sleep_less child:sleep_less
offcpu all.pk
blocked sleep_less 200
if grep -E '^(migration|rcu_|kworker)[^;]*;' folded; then fail "threads of the kernel"; fi
if pk-script -q -F pid all.pk | grep -qx " *$recorder *"; then fail "the recording's own waiting"; fi
exit 0
