# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154
sweep pk-report "$symbolized"
sweep pk-report --no-children -n "$symbolized" "$raw"
sweep pk-report -o out --csv --by=comm,pid,cpu,event,symoff,time:1ms --show='share,samples,latency,first' "$latency"
sweep pk-report --json --event='sched:*' --by=prev_comm,prev_prio:log2 \
	--show='sum(prev_prio),p99(prev_prio),distinct(prev_comm),last(next_comm),stddev(prev_prio)' "$tracepoints"
sweep pk-report -s pid,sym --order=samples --show=samples --where='period > 1 && symbol ~ "*"' --time=0, "$symbolized"
sweep pk-report --merge-events --by comm --show "count,sum(period)" "$symbolized"
sweep pk-report -s tgid,pid --group --socket-filter='!1' --where='period > 1' --where='pid || tid' "$symbolized"
sweep pk-report --live=1ms --json -e '*' "$latency"
sweep pk-report --live=1ms --decay -g caller --show="share,last(comm)" "$symbolized"
{
	header
	perl "$PK_TOP/tests/cli/pk-span/presets.pl" formats
	finish
} >blocks.text <<'END'
event sched:sched_switch text prev_comm, int prev_pid, int prev_prio, s64 prev_state, text next_comm, int next_pid, int next_prio
100 5 0 sched_switch five 5 120 1 six 6 120
170 6 0 sched_switch six 6 120 0 five 5 120
190 5 0 sched_switch five 5 120 2 six 6 120
250 6 0 sched_switch six 6 120 1 five 5 120
END
assemble <blocks.text >blocks.pk
sweep pk-report --view=offcpu "$here/blocks.pk"
sweep pk-report --by=comm --per=run --markdown --max-bytes=1M --fail-if='comm ~ "x*" && change > 2%' \
	--show=mark,needs,change --diff="$symbolized" -- "$symbolized" "$symbolized"
sweep pk-report --weight=latency --by=comm "$latency"
sweep pk-report -I -G --by=symbol,srcline --color=always --width=40 --no-cache --kallsyms=/dev/null --symfs="$root" "$list"
. "$PK_TOP/tests/cli/pk-report/memory.bash"
accesses | assemble >accesses.pk
mkdir -p config/pk
echo 'pk-report own: --view mem --limit 5' >config/pk/views
XDG_CONFIG_HOME=$here/config sweep pk-report --view own "$here/accesses.pk"
sweep pk-report --by=comm_nodigit,socket,data_dso,cacheline --show='peak(weight),sum(hitm)' --unit=K "$here/accesses.pk"
sweep pk-report --by=branch_from,branch_to,branch_from_dso,mispredict --where='branch_to != "x"' "$vectors/sample-branches-le.pk"
sweep pk-report --match-renamed --by=symbol --show='p99-high(period),greater-p(period)' --diff="$symbolized" -- "$symbolized"
