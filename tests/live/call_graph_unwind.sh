# SPDX-License-Identifier: BSD-2-Clause
# --call-graph unwind beside pk-unwind: the same samples have the addresses that the kernel has found, and the registers and
# the stack from which pk-unwind finds them.
. "$PK_TOP/tests/live/fold.bash"
nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
if [ "$(id -u)" = 0 ] && [ "$("${nobody[@]}" cat /proc/sys/kernel/unprivileged_bpf_disabled)" != 0 ]; then
	expect 1 'call-graph unwind: bpf: .*: use root, or CAP_BPF' "${nobody[@]}" "$(command -v pk-record)" --call-graph unwind -- true
fi
pk-record --call-graph unwind --overwrite -- true 2>err
grep -q 'unwind and --overwrite exclude each other' err || fail "with --overwrite: $(cat err)"
pk-record -q --call-graph unwind -e cpu-clock -o probe.pk -- true 2>err || skip "stacks cannot be unwound in the kernel here: $(tail -n 1 err)"

# chains FILE: a line for each sample: its time, and the addresses of its callchain.
chains()
{
	pk-script -q --dump "$1" | awk '
		/^[0-9]+ / { if (line) print line; line = "" }
		/^[0-9]+ SAMPLE / { line = " " }
		line && /^  (time|ips\[[0-9]+\])=/ { sub(/.*=/, ""); line = line $1 " " }
		END { if (line) print line }' | sort
}

# same COMMAND...: of its samples, at least 99 % have equal callchains.
same()
{
	pk-record -q --call-graph unwind -e cpu-clock/stack-size=49152,freq=499/ -m 16M -o both.pk -- "$@" >said 2>err ||
		fail "$*: $(cat err)"
	exclude_user_chain <both.pk >dumps.pk && pk-unwind -q dumps.pk >unwound.pk 2>>err || fail "$*: $(cat err)"
	chains both.pk >ours
	chains unwound.pk >theirs
	[ "$(wc -l <ours)" -ge 20 ] || fail "$*: only $(wc -l <ours) samples"
	paste -d '|' ours theirs | awk -F '|' '
		$1 == $2 { equal++ } $1 != $2 && shown++ < 3 { print $1; print $2 }
		END { printf "%d of %d are equal\n", equal, NR; exit equal < NR * 0.99 }' >compared ||
		fail "$*: $(cat compared)"
}

flags='-O2 -fomit-frame-pointer -fno-optimize-sibling-calls -fno-ipa-icf'
# shellcheck disable=SC2086 # words
compile unwinding.c u $flags || fail "$(cat compile.err)"
same ./u calls dynamic sorts leaves clocks shallow never_returns interrupted
# shellcheck disable=SC2086 # words
compile unwinding.c u-static $flags -static && same ./u-static calls sorts never_returns interrupted
# shellcheck disable=SC2086 # words
compile unwinding.c u-32 $flags -m32 && pk-record -q --call-graph unwind -o u-32.pk -- ./u-32 calls 2>err && {
	grep -q 'of 32-bit programs' err || fail "32 bits: $(cat err)"
}
same git -C "$PK_TOP" log --stat -n 300
same perl -e 'my %h; $h{$_ % 1000} .= $_ for 1 .. 2000000; print scalar %h'

# Stacks on other memory are complete; of deep ones, there are 512 frames.
pk-record -q --call-graph unwind -F 999 -e cpu-clock -o deep.pk -- ./u interrupted_elsewhere deep 2>err || fail "$(cat err)"
pk-symbolize -q deep.pk | pk-fold -q >folded
shows u '.*main;interrupted_elsewhere;.*handler;inner;burn' 40
shows u '(descend;){500,}inner;burn' 40
check deep.pk
perf_reads deep.pk
# Dumps that leave no room for the addresses in a sample.
pk-record --call-graph unwind -F 999 -e cpu-clock/stack-size=65528/ -m 16M -o full.pk -- ./u calls 2>err || fail "$(cat err)"
pk-script -q --dump full.pk | awk '/^[0-9]+ SAMPLE .*size=65528/ { n++ } END { exit n < 20 }' || fail "too few samples of full size"
grep -q '^pk-record: [0-9]* samples have no room for all addresses of their user stack: request a smaller stack-size' err ||
	fail "stack-size=65528: $(cat err)"

# Tracepoints and probes, also of children, and at the start of a function.
cat >opens.sh <<'END'
for i in 1 2 3; do ls / >/dev/null; done
sh -c 'ls / >/dev/null; true'
END
pk-record -q --call-graph unwind -e syscalls:sys_enter_openat -o opens.pk -- sh opens.sh 2>err && {
	pk-fold -q --weight samples opens.pk >folded
	awk '{ n += $NF } /;(_start|_dl_start_user|__libc_start_main[^;]*);/ { m += $NF } END { exit !(n >= 20 && m >= n * 0.99) }' folded ||
		fail "system calls: $(grep -vE ';(_start|_dl_start_user|__libc_start_main[^;]*);' folded | cut -c1-200)" "$(cat err)"
}
pk-record -q --call-graph unwind -x ./u --probe inner -o entries.pk -- ./u calls sorts 2>err && {
	pk-fold -q --weight samples entries.pk >folded
	awk '{ n += $NF } /;main;.*;inner / { m += $NF } END { exit !(n >= 2 && m == n) }' folded ||
		fail "probes: $(cut -c1-200 folded)" "$(cat err)"
}

# Functions with return probes: the kernel has replaced their return addresses.
# shellcheck disable=SC2086 # words
compile returns.c returns $flags || fail "$(cat compile.err)"
pk-record -q --call-graph unwind -x ./returns --probe middle%return --probe outer%return --probe inner -o returns.pk -- ./returns 2>err && {
	for way in 'inner 300 main;outer;middle;middle;middle;middle;inner' 'middle__return 1200 main;outer.*' 'outer__return 300 main'; do
		read -r event count stack <<<"$way"
		pk-fold -q --weight samples --event "probe_returns:$event" returns.pk >folded
		awk -v count="$count" -v stack=";$stack " '{ n += $NF } $0 ~ stack { m += $NF } END { exit !(n == count && m >= n * 0.99) }' folded ||
			fail "$event: of $count, not all are in $stack: $(cut -c1-200 folded)" "$(cat err)"
	done
}
exit 0
