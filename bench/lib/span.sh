# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154 # bench/run sets the variables
# Sourced by bench/run: the benchmark of pk-span.

copies()
{
	echo "dd if=/dev/zero of=/dev/null bs=1 count=$1"
}

# need_calls: 5 million starts and ends of system calls, as a stream and as a file for perf.
need_calls()
{
	calls=$dir/calls$quick.pk
	[ -z "$fresh" ] || rm -f "$calls"
	[ -s "$calls.data" ] && return
	# shellcheck disable=SC2046 # words on purpose
	"$bin/pk-record" -q -m 64M -e syscalls -o "$calls" -- $(copies "$([ -n "$quick" ] && echo 125000 || echo 1250000)") 2>"$scratch/err" &&
		"$bin/pk-export" perf.data -o "$calls.data" "$calls" 2>>"$scratch/err" || {
		skip span "system calls cannot be recorded: $(tail -n 1 "$scratch/err")"
		return 1
	}
}

# need_switches: context switches of two threads that write to each other's pipe.
need_switches()
{
	switches=$dir/switches$quick.pk
	[ -z "$fresh" ] || rm -f "$switches"
	[ -s "$switches.data" ] && return
	"$bin/pk-record" -q -a -m 64M -e sched -o "$switches" -- perf bench sched pipe -l "$([ -n "$quick" ] && echo 30000 || echo 300000)" \
		>"$scratch/err" 2>&1 && "$bin/pk-export" perf.data -o "$switches.data" "$switches" 2>>"$scratch/err" || {
		skip span "context switches cannot be recorded: $(tail -n 1 "$scratch/err")"
		return 1
	}
}

samples_of()
{
	"$bin/pk-script" -q --stats "$1" | awk '$1 == "SAMPLE" { print $2; exit }'
}

span_calls()
{
	local count=$1
	compare pk "$bin/pk-report -q --view syscalls $calls.data >/dev/null" \
		pk-stages "$bin/pk-span -q syscalls $calls.data | $bin/pk-report -q --view syscalls >/dev/null" \
		pk-span "$bin/pk-span -q syscalls $calls >/dev/null" \
		perf-trace "perf trace -s -i $calls.data >/dev/null 2>&1" || return
	verdict span "$count events: perf trace -s / pk-report" "$(calc %.1f "$(median 1 perf-trace) / $(median 1 pk)")" x '>=' 20
	echo "    by processor time: $(calc %.1f "$(median 2 perf-trace) / $(median 2 pk)")x"
	report span 'the same, pk-span and pk-report' "$(calc %.1f "$(median 1 perf-trace) / $(median 1 pk-stages)")" x
	verdict span 'pk-span syscalls' "$(calc %.2f "$count / 1e6 / $(median 1 pk-span)")" ' M events/s' '>=' 3
	echo "    by processor time: $(calc %.2f "$count / 1e6 / $(median 2 pk-span)") M events/s"
	# Without the texts of the arguments.
	compare pk-names "$bin/pk-span -q --name syscall --start raw_syscalls:sys_enter --end raw_syscalls:sys_exit --key tid --carry call $calls >/dev/null" ||
		return
	report span 'pk-span of system calls without arguments' "$(calc %.2f "$count / 1e6 / $(median 1 pk-names)")" ' M events/s'
}

span_switches()
{
	local count=$1
	compare pk-sched "$bin/pk-report -q --view sched-latency $switches.data >/dev/null" \
		pk-sched-stages "$bin/pk-span -q sched $switches.data | $bin/pk-report -q --view sched-latency >/dev/null" \
		perf-sched "perf sched latency -i $switches.data >/dev/null 2>&1" || return
	verdict span "$count events: perf sched latency / pk-report" "$(calc %.1f "$(median 1 perf-sched) / $(median 1 pk-sched)")" x '>=' 10
	echo "    by processor time: $(calc %.1f "$(median 2 perf-sched) / $(median 2 pk-sched)")x"
	report span 'the same, pk-span and pk-report' "$(calc %.1f "$(median 1 perf-sched) / $(median 1 pk-sched-stages)")" x
	compare pk-map "$bin/pk-script -q --view map $switches.data >/dev/null" perf-map "perf sched map -i $switches.data >/dev/null 2>&1" || return
	report span 'perf sched map / pk-script --view map' "$(calc %.1f "$(median 1 perf-map) / $(median 1 pk-map)")" x
}

# 100,000 tasks that were woken up and wait for a processor.
span_memory()
{
	local assemble=$build/tests/assemble/assemble formats=tests/data/tracing.x86_64
	[ -x "$assemble" ] || {
		skip span "no $assemble: make check T=none builds it"
		return
	}
	{
		echo BEGIN
		echo 'HEADER_ATTR attr_type=2 config=310 sample_period=1 id=9 sample_type=(IDENTIFIER IP TID TIME CPU PERIOD RAW) flags=(sample_id_all)'
		echo 'HEADER_ATTR attr_type=2 config=312 sample_period=1 id=8 sample_type=(IDENTIFIER IP TID TIME CPU PERIOD RAW) flags=(sample_id_all)'
		echo "TRACING_DATA payload_size=$(wc -c <$formats) payload=@$formats"
		awk 'BEGIN { for (i = 1; i <= 100000; i++) {
			print "SAMPLE misc=(kernel) id=8 ip=0x1000 pid=1 tid=1 time=" i * 1000 " cpu=0 period=1"
			print "  raw={2:312 1:0 1:0 4:1 8:0x6261 8:0 4:" i + 10 " 4:120 4:0}" } }'
	} | "$assemble" >"$scratch/open.pk" || {
		failed "$assemble"
		return
	}
	runs=1 cold=1 compare pk-open "$bin/pk-span -v sched $scratch/open.pk >/dev/null" || return
	verdict span 'largest resident set with 100,000 open spans' "$(calc %.1f "$(median 3 pk-open) / 1024")" ' MiB' '<=' 64
}

# copying LABEL RECORDER...: runs $program under a recorder, or alone; appends its elapsed and its processor time to $scratch/LABEL.
copying()
{
	local label=$1
	shift
	# shellcheck disable=SC2016 # for that shell
	"$@" bash -c 'TIMEFORMAT="%R %U %S"; time "$@" 2>/dev/null' bash $program 2>"$scratch/err" >/dev/null || failed "$label: $(tail -n 1 "$scratch/err")"
	awk 'NF == 3 && $0 ~ /^[0-9. ]+$/ { print $1, $2 + $3 }' "$scratch/err" >>"$scratch/$label"
}

# What recording costs a program that only makes system calls.
span_recording()
{
	local round label program
	program=$(copies "$([ -n "$quick" ] && echo 100000 || echo 1000000)")
	rm -f "$scratch"/dd-*
	for ((round = 0; round < runs; round++)); do
		copying dd-alone
		copying dd-pk "$bin/pk-record" -q -e syscalls -o "$scratch/dd.pk" --
		copying dd-perf-record perf record -q -e raw_syscalls:sys_enter,raw_syscalls:sys_exit -o "$scratch/dd.data" --
		copying dd-perf-trace perf trace -o "$scratch/dd.txt" --
		rm -f "$scratch"/dd.*
	done
	echo "    $ $program: elapsed and processor time of this program, alone, and recorded by pk-record -e syscalls, perf record -e raw_syscalls:*, perf trace"
	for label in dd-alone dd-pk dd-perf-record dd-perf-trace; do
		printf '    %-16s elapsed %s median %s s, CPU %s median %s s\n' "$label" "$(cut -d ' ' -f 1 "$scratch/$label" | paste -sd ' ')" "$(median 1 $label)" \
			"$(cut -d ' ' -f 2 "$scratch/$label" | paste -sd ' ')" "$(median 2 $label)"
	done
	cost() { calc %.3f "$(median 2 "$1") - $(median 2 dd-alone)"; }
	verdict span 'cost of recording: pk-record -e syscalls / perf record' "$(calc %.2f "$(cost dd-pk) / ($(cost dd-perf-record) + 1e-9)")" x '<=' 1
	verdict span 'cost of recording: pk-record -e syscalls / perf trace' "$(calc %.2f "$(cost dd-pk) / ($(cost dd-perf-trace) + 1e-9)")" x '<=' 1
}

bench_span()
{
	local calls switches
	have_perf || return
	need_calls && span_calls "$(samples_of "$calls")"
	need_switches && span_switches "$(samples_of "$switches")"
	span_memory
	span_recording
}
