# SPDX-License-Identifier: BSD-2-Clause
# long
# Recordings of pk-record: perf prints of pk-export's file what it prints of the stream, and the programs of perf that read no
# streams read the file. PK_PERF is the perf that reads.
. "$PK_TOP/tests/live/record.bash"
reader=${PK_PERF:-perf}
command -v "$reader" >/dev/null || skip "no perf"
work='i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done; ls -l / >/dev/null'

# In streams, perf prints frames of tracepoints without their object and offset, addresses in tracepoints as numbers, and
# names of events with other blanks.
without_objects()
{
	sed -E '/^\t/s/(\+0x[0-9a-f]+)?( \(.*\))?$//; s/ +/ /g; s/=[^ ]+\+0x[0-9a-f]+/=/g; s/=0xf{4}[0-9a-f]+/=/g' "$1"
}

# record NAME OPTION...: NAME.pk and NAME.data, and compares what perf script prints
record()
{
	local name=$1
	shift
	pk-record -q -o "$name.pk" "$@" -- bash -c "$work" 2>err || {
		echo "$name: not recorded: $(head -n 1 err)"
		return 1
	}
	pk-export perf.data -q -o "$name.data" "$name.pk" 2>err || fail "$name: $(cat err)"
	"$reader" script -i - <"$name.pk" >expected 2>err || fail "$name: perf script of the stream: $(tail -n 1 err)"
	"$reader" script -i "$name.data" >found 2>err || fail "$name: perf script: $(tail -n 1 err)"
	[ -s expected ] || fail "$name: no samples"
	diff <(without_objects expected) <(without_objects found) >differences || fail "$name: $(head -n 10 differences)"
	"$reader" evlist -v -i "$name.data" >found 2>err || fail "$name: perf evlist: $(tail -n 1 err)"
	"$reader" report --header-only -i "$name.data" >found 2>err || fail "$name: perf report: $(tail -n 1 err)"
	grep -q "^# hostname : $(uname -n)" found || fail "$name: $(head -n 5 found)"
	grep -q '^# cmdline : .*pk-record' found || fail "$name: $(grep cmdline found)"
}

# prints PATTERN COMMAND...: perf does
prints()
{
	local pattern=$1
	shift
	"$reader" "$@" >found 2>&1 || fail "perf $*: $(tail -n 3 found)"
	grep -qE "$pattern" found || fail "perf $*: no '$pattern': $(head -n 5 found)"
}

record fp -e cpu-clock -F 999 -g
prints '[0-9.]+%' report --stdio -i fp.data
prints ' /.*bash$' buildid-list -i fp.data
prints 'time of last sample : [1-9]' report --header-only -i fp.data
pk-symbolize -q fp.pk 2>/dev/null | tee symbolized.pk | pk-export perf.data -q -o symbolized.data
"$reader" script -i fp.data >expected 2>err
"$reader" script -i symbolized.data 2>err | diff expected - >differences || fail "symbolized: $(head -n 10 differences)"
pk-fold -q symbolized.pk >expected
pk-filter -q symbolized.data | pk-fold -q >found
[ -s expected ] && cmp expected found || fail "symbolized: folded differently"

record dwarf -e cpu-clock -F 499 --call-graph dwarf
pk-unwind -q dwarf.pk 2>/dev/null | pk-export perf.data -q -o unwound.data
prints '[0-9.]+%' report --stdio -i unwound.data
record several -e cpu-clock -e page-faults -e context-switches -d --switch-events
record group -e '{cpu-clock,page-faults}:S' -c 100000
pk-inject -q fp.pk 2>/dev/null | pk-export perf.data -q -o injected.data
prints 'cpu-clock' script -i injected.data
prints 'cpu-clock' diff fp.data group.data

pk-record -q -e sched:sched_switch -o probe.pk -- true 2>err || skip "all but tracepoints: $(head -n 1 err)"
switch=sched:sched_switch,sched:sched_wakeup,sched:sched_wakeup_new,sched:sched_migrate_task,sched:sched_stat_runtime
record sched -a -c 1 -m 4M -e $switch
prints 'bash' sched -i sched.data latency
prints 'bash' sched -i sched.data timehist
# Several writers of one file wait for its lock, also on one processor: each holds it longer than it runs without a break.
work='for i in 1 2 3 4; do dd if=/dev/zero of=written bs=32M count=2 conv=notrunc 2>/dev/null & done; wait; rm written'
record locks -a -c 1 -g -e lock:contention_begin,lock:contention_end &&
	prints 'contended|caller' lock -i locks.data contention
work='ls -l / >/dev/null'
record kmem -a -c 1 -m 4M -e kmem:kmalloc,kmem:kfree,kmem:kmem_cache_alloc,kmem:kmem_cache_free &&
	prints 'Total bytes requested: [1-9]' kmem -i kmem.data stat
record calls -c 1 -e raw_syscalls:sys_enter,raw_syscalls:sys_exit
prints 'openat' trace -i calls.data
record times -a -c 1 -m 4M -e $switch,power:cpu_idle && {
	"$reader" timechart -i times.data -o times.svg >found 2>&1 || fail "perf timechart: $(tail -n 1 found)"
	[ -s times.svg ] || fail "perf timechart: no picture"
}
exit 0
