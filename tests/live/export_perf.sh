# SPDX-License-Identifier: BSD-2-Clause
# long
# perf record writes a file. pk-filter makes a stream of it, and pk-export a file of that: all commands of perf print the
# same of both files. PK_PERF is the perf that reads.
set -u
status=0
reader=${PK_PERF:-perf}
complain()
{
	echo "$*"
	status=1
}

skip()
{
	echo "$*" >&2
	exit 77
}

command -v perf >/dev/null || skip "no perf"
perf record -q --no-bpf-event --buildid-mmap -e cpu-clock -o file -- true >log 2>&1 ||
	skip "perf cannot record here: $(grep . log | head -n 1)"
work='i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done; ls >/dev/null; ls -l / >/dev/null'
compared=0

# What depends on the file and not on its content, and tips. perf record writes no times of samples if it does not look for
# build-ids at the end. $different: other lines that are different.
different='^ $'
times='time of (first|last) sample|sample duration'
without_place()
{
	sed -E "/^# (captured on|data offset|data size|feat offset|$times) /d; s/\.(data|exported)\b//g; s|/tmp/perf-vdso\.so-.*|[vdso]|; s/^Processed [0-9]+ events and lost/Processed events and lost/; /^# \(Tip: /d; /$different/d" "$1"
}

# compare NAME COMMAND...: of NAME.data and NAME.exported
compare()
{
	local name=$1 code
	shift
	"$reader" "$1" -i "$name.data" "${@:2}" </dev/null >expected 2>&1
	code=$?
	[ $code = 0 ] || {
		complain "$name: perf $*: the file of perf record: status $code: $(tail -n 1 expected)"
		return
	}
	"$reader" "$1" -i "$name.exported" "${@:2}" </dev/null >found 2>&1 || complain "$name: perf $*: status $?: $(tail -n 1 found)"
	[ -s expected ] || complain "$name: perf $*: prints nothing"
	compared=$((compared + 1))
	diff <(without_place expected) <(without_place found) >differences || complain "$name: perf $*:
$(head -n 10 differences)"
}

export_it()
{
	pk-filter -q "$1.data" >stream 2>err || complain "$1: pk-filter: $(cat err)"
	pk-export perf.data -q <stream >"$1.exported" 2>err || complain "$1: pk-export: $(cat err)"
	compare "$1" script
	compare "$1" evlist -v
	compare "$1" report --header-only
	compare "$1" buildid-list
}

# record NAME OPTION...: perf 6.1 does not survive maps with build-ids that it has not requested, which Linux 6.18 writes while
# somebody else requests them (SPEC 3.5). It survives them if it requests them itself. A recording without samples is not compared.
record()
{
	local name=$1 option
	shift
	for option in --no-buildid-cache --buildid-mmap; do
		{
			perf record -q --no-bpf-event $option -o "$name.data" "$@" -- bash -c "$work" &&
				perf script -i "$name.data" | grep . >/dev/null
		} >log 2>&1 || continue
		export_it "$name"
		return
	done
	echo "$name: not recorded: $(tail -n 1 log)"
	return 1
}

if record fp -e cpu-clock -F 999 -g; then
	compare fp report --stdio
	compare fp report --stdio --header
	"$reader" report --header-only -i fp.data | grep -E "$times" >expected
	"$reader" report --header-only -i fp.exported | grep -E "$times" | diff expected - >differences ||
		grep -q 'last sample : 0\.0' expected || complain "times of samples: $(cat differences)"
	grep -q 'last sample : 0\.0' expected || compare fp script --time 10%-60%
	# The definitions of stacks, and the trailers of samples, are nothing to perf.
	pk-symbolize -q --kallsyms=/dev/null fp.data >stream 2>/dev/null
	pk-export perf.data -q -o fp.exported stream 2>err || complain "symbolized: $(cat err)"
	compare fp script
	compare fp report --stdio
	pk-fold -q stream >expected
	pk-fold -q fp.exported >found
	cmp -s expected found || complain "symbolized: folded differently"
	pk-filter -q fp.exported | pk-fold -q >found
	[ -s expected ] && cmp -s expected found || complain "symbolized: a filter drops the stacks"
fi
if record dwarf -e cpu-clock -F 499 --call-graph dwarf,4096; then
	compare dwarf report --stdio
fi
if record several -e cpu-clock -e page-faults -e context-switches -F 999 -d --phys-data -W; then
	compare several report --stdio
fi
if record group -e '{cpu-clock,page-faults}:S' -c 100000; then
	compare group report --stdio --group
fi
if record switches --bpf-event -e cpu-clock --switch-events --all-cgroups --namespaces; then
	compare switches script --show-switch-events --show-task-events --show-mmap-events
fi
# Data are not compressed in the file of pk-export.
different='^# (compressed|missing features)'
if record compressed -z -e cpu-clock -F 4999 -g -k CLOCK_MONOTONIC; then
	compare compressed report --stdio
fi
different='^ $'
if [ -e fp.exported ] && [ -e compressed.exported ]; then
	"$reader" diff fp.data compressed.data >expected 2>&1
	"$reader" diff fp.exported compressed.exported >found 2>&1
	diff <(without_place expected) <(without_place found) || complain "perf diff"
fi

# Tracepoints
perf record -q --no-bpf-event --buildid-mmap -e sched:sched_switch -o file -- true >log 2>&1 || {
	echo "$compared outputs compared"
	[ $status = 0 ] || exit 1
	skip "no tracepoints here: $(grep . log | head -n 1)"
}
switch=sched:sched_switch,sched:sched_wakeup,sched:sched_wakeup_new,sched:sched_migrate_task
if record sched -a -c 1 -m 1024 -R -e $switch,sched:sched_process_fork,sched:sched_stat_runtime; then
	compare sched sched latency
	compare sched sched timehist
	compare sched sched map
fi
if record timechart -a -c 1 -m 1024 -R -e $switch,power:cpu_idle,power:cpu_frequency; then
	for file in timechart.data timechart.exported; do
		"$reader" timechart -i $file -o $file.svg >log 2>&1
	done
	[ -s timechart.data.svg ] || complain "perf timechart: $(tail -n 1 log)"
	cmp -s timechart.data.svg timechart.exported.svg || complain "perf timechart: another picture"
fi
# Several writers of one pipe wait for its lock.
work='{ yes & yes & yes & yes & wait; } 2>/dev/null | head -c 30000000 >/dev/null'
if record locks -a -c 1 -m 1024 -R -g -e lock:contention_begin,lock:contention_end; then
	compare locks lock contention
	compare locks lock report
fi
work='ls -lR /usr/share/doc | head -n 1000 >/dev/null'
kmem=kmem:kmalloc,kmem:kfree,kmem:kmem_cache_alloc,kmem:kmem_cache_free
if record kmem -a -c 1 -m 2048 -R -e $kmem; then
	compare kmem kmem stat --caller -l 20
fi
if record system -c 1 -R -e raw_syscalls:sys_enter,raw_syscalls:sys_exit; then
	compare system trace
fi
echo "$compared outputs compared"
[ $compared -ge 30 ] || complain "only $compared outputs were compared"
exit $status
