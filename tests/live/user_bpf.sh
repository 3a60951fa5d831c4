# SPDX-License-Identifier: BSD-2-Clause
# --bpf: the programs that ship, with a workload whose calls are known; settings; errors; SIGKILL.
. "$PK_TOP/tests/live/record.bash"
command -v clang >/dev/null || skip "no clang to compile BPF programs"
bpf=$PK_TOP/examples/bpf
pk-record -q --bpf "$bpf/opensnoop.bpf.c" -o probe.pk -- true 2>err || skip "--bpf is not possible here: $(head -n 1 err)"

cat >calls.c <<'C'
#include <fcntl.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
	for (int i = 0; i < 7; i++)
		close(open("known file", O_RDONLY));
	open("/nonexistent/known file", O_RDWR);
	for (int i = 0; i < 1000; i++)
		syscall(SYS_sched_get_priority_max, SCHED_RR);
	return execl("/bin/echo", "echo", "two words", "three", (char *)0);
}
C
"${CC:-cc}" -o calls calls.c 2>err || fail "$(cat err)"
: >'known file'

# ---- Files ----

pk-record -q --bpf "$bpf/opensnoop.bpf.c" -o opens.pk -- ./calls >echoed 2>err || fail "$(cat err)"
check opens.pk
pk-filter --where 'trace.filename ~ "*known file"' opens.pk 2>err | pk-script -F event,comm,trace >known 2>err
sed 's/ts=[0-9]* pid=[0-9]* tid=[0-9]* cpu=[0-9]* //; s/^ *//' known | sort | uniq -c | sed 's/^ *//' >opens
cat >expected <<'END'
1 calls bpf:opens: result=-2 flags=2 comm=calls filename=/nonexistent/known file
7 calls bpf:opens: result=3 flags=0 comm=calls filename=known file
END
diff expected opens || fail "opened files: $(head -n 3 known)"
if command -v perf >/dev/null; then
	perf script -i - <opens.pk 2>err | grep -c 'bpf:opens.*filename=.*known file' >perf.count
	[ "$(cat perf.count)" = 8 ] || fail "perf script: $(cat perf.count) of 8: $(cat err)"
fi

# ---- Programs ----

pk-record -q --bpf "$bpf/execsnoop.bpf.c" -o execs.pk -- ./calls >echoed 2>err || fail "$(cat err)"
check execs.pk
pk-script execs.pk 2>err >execs
[ "$(grep -c 'result=0 caller=calls filename=/bin/echo args=echo two words three$' execs)" = 1 ] || fail "$(cat execs)"

# ---- A histogram ----

number=$(printf '#include <sys/syscall.h>\nSYS_sched_get_priority_max\n' | "${CC:-cc}" -E -P - | tail -n 1)
pk-record -q --bpf "$bpf/syscall_latency.bpf.c:only_nr=$number" -o latency.pk -- ./calls >echoed 2>err || fail "$(cat err)"
check latency.pk
pk-script --json latency.pk 2>err >json
counted=$(sed -n "s/.*\"syscall_nr\":${number}[,}].*\"count\":\([0-9]*\).*/\1/p" json | awk '{ n += $1 } END { print n + 0 }')
[ "$counted" = 1000 ] || fail "$counted calls of 1000: $(head -n 3 json)"
# The name of the call is in the format, for all readers.
pk-script latency.pk 2>err | grep -vc 'syscall_nr=sched_get_priority_max ' >others
[ "$(cat others)" = 0 ] || fail "no name of the call: $(pk-script latency.pk | head -n 3)"
[ "$(pk-report --csv --by syscall_nr --show period latency.pk 2>err | tail -n 1)" = bpf:latency_hist,1000,sched_get_priority_max ] ||
	fail "pk-report: $(pk-report --csv --by syscall_nr --show period latency.pk)"
[ "$(pk-filter --where 'syscall_nr == "sched_get_priority_max"' latency.pk 2>err | pk-fold --weight=period 2>>err | awk '{ n += $NF } END { print n }')" = 1000 ] ||
	fail "--where: $(cat err)"
if command -v perf >/dev/null; then
	perf script -i - <latency.pk 2>err | grep -q 'syscall_nr=sched_get_priority_max' || fail "perf script: $(cat err)"
fi
pk-fold --weight=period latency.pk 2>err | awk '{ n += $NF } END { exit n != 1000 }' || fail "pk-fold: $(cat err)"

# ---- A perf buffer: an event of its own, or the bytes of bpf-output ----

cat >channel.bpf.c <<'C'
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

struct channel_event {
	__s32 policy;
	char text[8];
};
const struct channel_event *channel_type __attribute__((unused));

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__type(key, __u32);
	__type(value, __u32);
} channel SEC(".maps");

struct enter {
	__u64 common;
	__s64 number;
	__u64 args[6];
};

SEC("tracepoint/syscalls/sys_enter_sched_get_priority_max")
int send(struct enter *context)
{
	struct channel_event event = {(__s32)context->args[0], "sent"};

	bpf_perf_event_output(context, &channel, BPF_F_CURRENT_CPU, &event, sizeof(event));
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
C
pk-record -q --bpf channel.bpf.c -o channel.pk -- ./calls >echoed 2>err || fail "perf buffer: $(cat err)"
check channel.pk
pk-script -F event,comm,pid,trace channel.pk 2>err | sort | uniq -c | sed 's/^ *//' >sent
grep -q '^1000 *calls *[0-9]* bpf:channel: policy=2 text=sent$' sent || fail "perf buffer: $(cat sent)"
pk-record -q -e bpf-output/no-inherit=1,name=data/ --bpf channel.bpf.c:channel.event=data -o data.pk -- ./calls >echoed 2>err ||
	fail "bpf-output: $(cat err)"
check data.pk
pk-script --json data.pk 2>err | grep -c '"event":"data"' >data.count
[ "$(cat data.count)" = 1000 ] || fail "bpf-output: $(cat data.count) samples of 1000"
if command -v perf >/dev/null; then
	perf script -i - <data.pk 2>err | grep -c 'BPF output: 0000: 02 00 00 00 73 65 6e 74' >perf.count
	[ "$(cat perf.count)" = 1000 ] || fail "bpf-output: perf script: $(cat perf.count) of 1000: $(cat err)"
	perf script -i - <channel.pk 2>err | grep -c 'bpf:channel: policy=2 text=sent' >perf.count
	[ "$(cat perf.count)" = 1000 ] || fail "perf buffer: perf script: $(cat perf.count) of 1000: $(cat err)"
fi

# ---- User stacks ----

cat >stacks.c <<'C'
#include <sched.h>
__attribute__((noinline)) int inner(int n) { volatile char a[64]; a[0] = n; return sched_get_priority_max(2) + a[0]; }
__attribute__((noinline)) int outer(int n) { volatile char a[80]; a[0] = n; return inner(n) + a[0]; }
int main(void) { int s = 0; for (int i = 0; i < 100; i++) s += outer(i); return s == 1; }
C
${CC:-cc} -O2 -fomit-frame-pointer -o stacks stacks.c 2>err || fail "$(cat err)"
stacks() # FILE EVENT: has all of main;outer;inner
{
	pk-unwind -q "$1" 2>err | pk-symbolize -q | pk-fold -q --weight samples --event "$2" | awk '{ n += $NF } /;main;outer;inner;/ { m += $NF }
		END { exit n != 100 || m != 100 }' || fail "stacks of $2: $(cat err)"
}
# The kernel writes the sample when the program sends it: no other program can unwind its stack.
pk-record -q --call-graph dwarf --bpf channel.bpf.c -o stacks.pk -- ./stacks 2>err || fail "stacks: $(cat err)"
stacks stacks.pk bpf:channel
if pk-record -q --call-graph unwind -o probe.pk -- true 2>err; then
	# A program that returns 0 suppresses the samples of its tracepoint.
	sed 's/return 0;/return 1;/' channel.bpf.c >beside.bpf.c
	pk-record --call-graph unwind -e syscalls:sys_enter_sched_get_priority_max --bpf beside.bpf.c -o stacks.pk -- ./stacks 2>err ||
		fail "beside: $(cat err)"
	grep -q 'bpf:channel: a BPF program writes its samples, whose stacks have frame pointers only: --call-graph auto or dwarf' err ||
		fail "beside: no warning: $(cat err)"
	stacks stacks.pk syscalls:sys_enter_sched_get_priority_max
	pk-record -q --call-graph auto --bpf channel.bpf.c -o stacks.pk -- ./stacks 2>err || fail "stacks: $(cat err)"
	stacks stacks.pk bpf:channel
fi

# ---- Settings and errors ----

refused() # WORDS ARGUMENT
{
	! pk-record -q --bpf "$2" -o refused.pk -- true 2>err || fail "$2 is not refused"
	grep -q -- "$1" err || fail "$2: $(cat err)"
}
refused 'No such file' ./missing.o
printf 'no object' >text.o
refused 'text.o' ./text.o
refused 'no global variable or map' "$bpf/opensnoop.bpf.c:missing=1"
refused 'must be a number of 32 bits' "$bpf/opensnoop.bpf.c:only_pid=many"

# ---- Nothing is left after SIGKILL ----

pk-record -q --bpf "$bpf/opensnoop.bpf.c" -o killed.pk -- sleep 100 2>err &
killed 4 $!
