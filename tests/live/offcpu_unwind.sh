# SPDX-License-Identifier: BSD-2-Clause
# --off-cpu with --call-graph unwind: the stacks of blocked threads, through code without frame pointers, beside those that
# pk-unwind makes of stack dumps of the same switches.
. "$PK_TOP/tests/live/fold.bash"

# shellcheck disable=SC2086 # words
compile blocker.c blocker -O2 -fomit-frame-pointer -pthread || fail "$(cat compile.err)"
pk-record -q --call-graph unwind --off-cpu -e dummy -o probe.pk -- true 2>err || skip "stacks cannot be unwound in the kernel here: $(tail -n 1 err)"
waits='thread:wait_for_ever thread:sleep_often sleep_less child:sleep_less wait_for_futex join'

# reaching FILE: of the blocked time, at least 99 % is in stacks from the start of a thread or program.
reaching()
{
	pk-symbolize -q "$1" | pk-fold -q --event offcpu-time >folded || fail "$1: cannot be folded"
	awk '{ n += $NF } /;(main|clone3?|_start|_dl_start_user|start_thread|__libc_start_main[^;]*);/ { m += $NF }
		END { printf "%.1f %% of %d ns\n", n ? 100 * m / n : 0, n; exit !(n && m >= n * 0.99) }' folded >share ||
		fail "$1: $(cat share) reach the outermost function: $(grep -vE ';(main|clone3?|_start|_dl_start_user|start_thread|__libc_start_main[^;]*);' folded | cut -c1-200)"
}

# shellcheck disable=SC2086 # words
whole out.pk --call-graph unwind -e dummy -- ./blocker $waits
perf_reads out.pk
reaching out.pk
for way in 'main;.*;wait_for_futex;futex_for;syscall' 'start_thread;thread_wait;.*;sleep_often;doze;.*nanosleep' \
	'start_thread;thread_wait;.*;wait_for_ever;read_one;.*read'; do
	[ "$(weight "blocker;.*;$way.*")" -ge 100000000 ] || fail "$way: $(cut -c1-200 folded)"
done

# Processes that are there already, and programs that scripts start.
mkfifo go
./blocker wait_for_input thread:sleep_often sleep_less join <go >said &
pid=$!
exec 3>go
while [ "$(cut -d ' ' -f 2,3 /proc/$pid/stat)" != '(blocker) S' ]; do sleep 0.02; done
pk-record --off-cpu --call-graph unwind -e dummy -p $pid -o p.pk 2>err &
recorder=$!
recording $recorder
while [ ! -s p.pk ]; do sleep 0.02; done
echo >&3
exec 3>&-
wait $recorder || fail "-p: $(cat err)"
reaching p.pk
[ "$(weight 'blocker;.*;start_thread;thread_wait;.*;sleep_often;.*')" -ge 180000000 ] || fail "-p: $(cut -c1-200 folded)"
pk-record --off-cpu --call-graph unwind -e dummy -o sh.pk -- sh -c 'for i in 1 2 3 4 5 6; do sleep 0.05; done; true' 2>err || fail "$(cat err)"
reaching sh.pk

# user_chains FILE EVENT: of each sample, the thread and the user addresses.
user_chains()
{
	pk-script -q -F tid,event,ip "$1" | awk -v event="$2" '
		/: *$/ { if (chain) print chain; chain = index($0, event) ? $1 : ""; next }
		chain && $1 !~ /^ffff/ && NF { chain = chain " " $1 }
		END { if (chain) print chain }' | sort -u
}

# Each stack of a block is one of those of the thread's switches, address by address.
# shellcheck disable=SC2086 # words
pk-record -q --off-cpu --call-graph unwind -e sched:sched_switch/stack-size=65528/ -m 16M -o both.pk -- ./blocker $waits >said 2>err || skip "no dumps of switches: $(cat err)"
exclude_user_chain <both.pk >dumps.pk && pk-unwind -q dumps.pk >unwound.pk 2>>err || fail "$(cat err)"
user_chains both.pk offcpu-time >ours
user_chains unwound.pk sched:sched_switch >theirs
[ "$(wc -l <ours)" -ge 6 ] || fail "only $(wc -l <ours) stacks: $(cat err)"
comm -23 ours theirs >others
[ "$(wc -l <others)" -le "$(($(wc -l <ours) / 100))" ] || fail "stacks that pk-unwind does not have:" "$(head -n 3 others)" "those of it:" "$(head -n 9 theirs)"
exit 0
