# SPDX-License-Identifier: BSD-2-Clause
# long
# Expressions of --where beside the kernel's own filters: events of one tracepoint in one recording, each with a
# filter but one; of the samples of that one, the same expression keeps the same.
. "$PK_TOP/tests/live/record.bash"

pk-record -e sched:sched_switch -o probe.pk -- true 2>err || skip "no tracepoints here: $(head -n 1 err)"
tracefs=/sys/kernel/tracing
[ -e $tracefs/events ] || tracefs=/sys/kernel/debug/tracing

# compare TRACEPOINT COMMAND EXPRESSION...
compare()
{
	local tracepoint=$1 command=$2 n=0 whole=0 some=0 arguments
	shift 2
	grep -q . $tracefs/events/${tracepoint/://}/format 2>/dev/null || {
		echo "no $tracepoint here" >&2
		return
	}
	arguments=(-e "$tracepoint/name=all/")
	for expression; do
		n=$((n + 1))
		arguments+=(-e "$tracepoint/name=k$n/" --filter "$expression")
	done
	pk-record -q "${arguments[@]}" -o in.pk -- bash -c "$command" >/dev/null 2>err || fail "$tracepoint: $(cat err)"
	pk-filter -q --event all in.pk >all.pk
	pk-script -q -F tid,trace all.pk | sort >all
	[ -s all ] || fail "$tracepoint: nothing was recorded"
	n=0
	for expression; do
		n=$((n + 1))
		pk-filter -q --event "k$n" in.pk | pk-script -q -F tid,trace - | sort >kernel
		pk-filter --where "$expression" all.pk 2>err >out.pk || fail "$expression: $(cat err)"
		pk-script -q -F tid,trace out.pk | sort >ours
		cmp -s kernel ours || {
			diff kernel ours | head -n 5
			fail "$tracepoint: $expression: $(wc -l <kernel) for the kernel, $(wc -l <ours) for pk-filter, of $(wc -l <all)"
		}
		tried=$((tried + 1))
		[ ! -s ours ] || some=$((some + 1))
		! cmp -s ours all || whole=$((whole + 1))
	done
	# they are worth the name
	[ $some -gt $((n / 2)) ] && [ $whole -lt $((n / 2)) ] ||
		fail "$tracepoint: of $n expressions, $some keep something, $whole all"
	echo "$tracepoint: $n expressions, $some keep something, $whole all of $(wc -l <all)"
}

tried=0
compare sched:sched_switch 'for i in 1 2 3 4 5; do sleep 0.005; nice -n 5 sleep 0.002; done' \
	'prev_prio == 120' 'prev_prio != 120' 'prev_prio > 120' 'prev_prio <= 0x78' 'next_prio < 120 || prev_prio >= 125' \
	'prev_state == 0' 'prev_state & 1' 'prev_state & 3 && prev_prio == 120' 'prev_state != 1' \
	'prev_comm == "sleep"' 'prev_comm != "sleep"' 'prev_comm ~ "sl*"' 'prev_comm ~ "*ee?"' 'prev_comm ~ "s[k-m]*"' \
	'next_comm ~ "swapper*"' '!(prev_comm == "sleep")' 'prev_comm ~ "*s*" && !(next_comm ~ "*e*")' \
	'next_pid > 0' 'common_pid == 0 || next_pid == 0' 'prev_pid > 1 && (prev_prio == 125 || prev_comm == "bash")' \
	'prev_comm != "sleep" && prev_comm != "bash" || prev_prio == 125 && next_pid >= 0' \
	'common_type > 0 && common_flags & 1' 'prev_pid == 99999999'
compare syscalls:sys_enter_write 'for n in 1 2 9 10 11 31 32 33 100 101 1000 4097; do printf "%${n}s" x; printf %${n}s y >&2; done' \
	'count > 100' 'count == 10' 'count != 10' 'count < 0x20' 'count & 1' '!(count & 1)' 'count & 0xfff' 'fd == 1' \
	'fd > 1 && count >= 1000' 'fd == 2 || (count > 5 && count < 50)' 'common_pid > 0 && count <= 9' \
	'count > 4294967295' '(((fd == 1)))'
compare sched:sched_process_exec '/bin/true; /usr/bin/env true; sleep 0; exec ls' \
	'filename ~ "*true"' 'filename ~ "*/tru?"' 'filename == "/bin/true"' 'filename != "/bin/true"' 'pid > 0' 'old_pid < 1' \
	'filename ~ "*bin*" && pid > 0' 'filename ~ "/usr/*" || filename ~ "*/sleep"' '!(filename ~ "*e*")'
compare task:task_rename 'for n in 0 200 300; do echo $n >/proc/self/oom_score_adj; /bin/true; sleep 0; done' \
	'oom_score_adj > -1' 'oom_score_adj < 200' 'oom_score_adj != 200' 'oom_score_adj == 300' 'oom_score_adj >= 0xc8' \
	'newcomm == "true"' 'oldcomm ~ "ba*" && oom_score_adj > 0' 'oom_score_adj < -5'
[ $tried -ge 20 ] || fail "$tried expressions only"
# Arrays are not numbers.
pk-record -q -e raw_syscalls:sys_enter -o array.pk -- true 2>err || exit 0
pk-filter --where 'args == 1' array.pk >out.pk 2>err && fail "pk-filter compares an array with a number"
grep -q 'args is no number' err || fail "said: $(cat err)"
exit 0
