# SPDX-License-Identifier: BSD-2-Clause
# long
# Tracepoints beside libtraceevent, which perf prints them with: for every format at hand, made-up samples
# whose offsets are sound give the same text, byte by byte. Where not, libtraceevent is known to be wrong
# (docs/tracepoints.md).
fail()
{
	echo "$*"
	exit 1
}

skip()
{
	echo "$*" >&2
	exit 77
}
pk-script --with=libtraceevent </dev/null >nothing 2>err
! grep -q 'install the package' err || skip "$(cat err)"
${CC:-cc} -std=gnu11 -D_GNU_SOURCE -O1 ${PK_SAN:+-fsanitize="$PK_SAN"} -iquote "$PK_TOP/libpkstream" -iquote "$PK_TOP/lib/base" \
	-iquote "$PK_TOP/lib/session" -iquote "$PK_TOP/lib/trace" -o samples "$PK_TOP/tests/live/workload/tracepoint_samples.c" \
	"$PK_BUILD/libpktrace.a" "$PK_BUILD/libpksession.a" "$PK_BUILD/libpkstream.a" -lzstd 2>err || fail "$(cat err)"
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

# texts PAYLOAD PREFIX: samples of the formats with this prefix, in `theirs` and `ours`. False: libtraceevent has died.
texts()
{
	./samples "$1" "$2" >text && "$PK_BUILD/tests/assemble/assemble" <text >made 2>err || fail "$1 $2: $(cat err)"
	pk-script -q -F event,trace made >ours 2>err || fail "$1 $2: $(cat err)"
	{ pk-script -q -F event,trace --with=libtraceevent made >theirs; } 2>err
}

# Names of events that differ, one a line; libtraceevent cannot parse all formats that we can.
compare()
{
	[ "$(wc -l <ours)" -gt 0 ] && [ "$(wc -l <ours)" = "$(wc -l <theirs)" ] || echo "other number of lines"
	cat ours >>compared
	paste -d '\n' theirs ours | awk '{ name = $1; sub(/:$/, "", name) }
		NR % 2 { line = $0; next }
		line != $0 && line !~ /\[FAILED/ { print name; print "- " line "\n+ " $0 >"differ" }' | sort -u
}

# differing PAYLOAD: names of events that differ and are not known to, one a line. Those that end libtraceevent are left out.
differing()
{
	local payload=$1 name
	: >compared
	if texts "$payload" ''; then
		compare
	else
		./samples --names "$payload" | sed 's/:.*/:/' | sort -u | while read -r name; do
			texts "$payload" "$name" && compare
		done
	fi | grep -vxEf patterns
}

for payload in "$PK_TOP"/tests/data/tracing.*; do
	differing "$payload" && fail "$payload: $(head -n 20 differ)"
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
	differing payload && fail "$file: $(head -n 20 differ)"
	bytes=
done
[ -z "${PK_CORPUS-}" ] || [ "${recordings-0}" -ge 10 ] || fail "formats in ${recordings-0} recordings only"

# Those of this machine. Other kernels may have other events that libtraceevent gets wrong.
events=/sys/kernel/tracing/events
[ -r $events/sched/sched_switch/format ] || events=/sys/kernel/debug/tracing/events
# Where reading far beyond a sample ends only at the end of a sanitizer's memory, that takes too long.
if [ -z "$PK_SAN" ] && [ -r $events/sched/sched_switch/format ]; then
	./samples --payload $events/*/*/format >payload
	differing payload >new
	[ "$(wc -l <new)" -le 10 ] || fail "$(cat new)" "$(head -n 20 differ)"
	[ "$(wc -l <compared)" -ge 20000 ] || fail "only $(wc -l <compared) samples were compared"
fi
exit 0
