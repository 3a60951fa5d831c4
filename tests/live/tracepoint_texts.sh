# SPDX-License-Identifier: BSD-2-Clause
# Tracepoints beside libtraceevent, which perf prints them with: for every format at hand, made-up samples
# whose offsets are sound give the same text, byte by byte. Where not, libtraceevent is known to be wrong
# (docs/tracepoints.md).
fail()
{
	echo "$*"
	exit 1
}

compile_with()
{
	${CC:-cc} -std=gnu11 -D_GNU_SOURCE -O1 ${PK_SAN:+-fsanitize="$PK_SAN"} -iquote "$PK_TOP/libpkstream" \
		-iquote "$PK_TOP/lib/base" -iquote "$PK_TOP/lib/session" -iquote "$PK_TOP/lib/trace" -o tep_texts "$PK_TOP/tests/live/workload/tep_texts.c" \
		"$PK_BUILD/libpktrace.a" "$PK_BUILD/libpksession.a" "$PK_BUILD/libpkstream.a" -lzstd -ltraceevent 2>compile.err
}
[ -e /usr/include/traceevent/event-parse.h ] || {
	echo "no libtraceevent-dev" >&2
	exit 77
}
compile_with || fail "$(cat compile.err)"
# What the library itself does is not what is tested.
export ASAN_OPTIONS=handle_segv=0:handle_sigfpe=0:detect_leaks=0

# C has these; libtraceevent is wrong about them.
cat >known <<'END'
btrfs:btrfs_qgroup_.* signed field printed longer
kvm:kvm_pvclock_update signed field printed longer
timer:itimer_state signed field printed longer
kvm:kvm_wait_lapic_expire signed field compared
sock:sock_recv_length signed field compared
kvm:kvm_userspace_exit signed field compared
btrfs:raid56_.* a - b + c
kmem:mm_page_alloc_extfrag a == b ? c : d
kvm:kvm_nested_vmenter a ? b : c
timer:timer_start x & (1 | 2)
tcp:tcp_.* %c
xfs:xfs_.* %.*s of a negative length
hugetlbfs:.* %.*s of a negative length
sched:sched_skip_cpuset_numa %*pbl
kvm:kvm_emulate_insn more bytes than the field has
neigh:neigh_.* more bytes than the field has
ras:.* more bytes than the sample has
ftrace:.* kernel addresses of texts
END
awk '{ print $1 }' known >patterns

# differing PAYLOAD: names of events that differ and are not known to, one a line
differing()
{
	./tep_texts "$1" >out 2>&1
	tail -n 1 out | grep -q "^SUM $1: [1-9]" || fail "$1: $(tail -n 3 out)"
	grep -B 1 '^- ' out | grep -E '^[a-z0-9_]+:[A-Za-z0-9_]+$' | grep -vxEf patterns
}

for payload in "$PK_TOP"/tests/data/tracing.*; do
	differing "$payload" && fail "$payload: $(cat out)"
done

# In streams, tracing data follow a record. In files they are a section, and pk-filter makes a record of it.
for file in "${PK_CORPUS-/nowhere}"/own/*/data/*{tp,sched,rawsys,kmem,lock,tracerec,uprobe,offcpu}*.data; do
	[ -f "$file" ] || continue
	pk-filter -q "$file" >stream 2>/dev/null
	read -r offset size bytes < <(pk-script -q --dump stream 2>/dev/null | awk '
		/ TRACING_DATA / { offset = $1; sub(/.* size=/, ""); size = $0; next }
		size && /^  payload_size=/ { sub(/.*=/, ""); print offset, size, $0; exit }')
	[ -n "${bytes-}" ] || continue
	recordings=$((${recordings-0} + 1))
	tail -c +$((offset + size + 1)) stream | head -c "$bytes" >payload
	differing payload && fail "$file: $(cat out)"
	bytes=
done
[ -z "${PK_CORPUS-}" ] || [ "${recordings-0}" -ge 10 ] || fail "formats in ${recordings-0} recordings only"

# Those of this machine. Other kernels may have other events that libtraceevent gets wrong.
events=/sys/kernel/tracing/events
[ -r $events/sched/sched_switch/format ] || events=/sys/kernel/debug/tracing/events
# Where reading far beyond a sample ends only at the end of a sanitizer's memory, that takes too long.
if [ -z "$PK_SAN" ] && [ -r $events/sched/sched_switch/format ]; then
	./tep_texts --payload $events/*/*/format >payload
	differing payload >new
	[ "$(wc -l <new)" -le 10 ] || fail "$(tail -n 1 out): $(cat new)"
	read -r same different < <(sed -n 's/^SUM.* \([0-9]*\) samples the same, .* \([0-9]*\) different.*/\1 \2/p' out)
	[ "$same" -ge $((20 * different)) ] || fail "$(tail -n 1 out)"
fi
exit 0
