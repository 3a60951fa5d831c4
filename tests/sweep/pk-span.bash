# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154
sweep pk-span --start 'sched*' --end 'sched*' --key prev_pid=next_pid --carry start.prev_comm "$tracepoints"
sweep pk-span --start '*' --start-where 'prev_comm ~ "*"' --end '*' --key tid,comm --unfinished --pass -o out "$tracepoints"
sweep pk-span --start '*' --end '*' --key pid --nested --open 2 "$symbolized"
sweep pk-span --start '*' --end '*' --key pid --stack both --pass -o out "$symbolized"
sweep pk-span sched --unfinished -o out "$tracepoints"
sweep pk-span --optional --name call --start 'syscalls:*' --end 'sched*' --key tid --carry call,args --task start.tid --cancel no_such --name other --start '*' --end '*' --key tid,cpu --again keep "$tracepoints"
pk-symbolize -q "$tracepoints" >"$here/named.pk" 2>/dev/null
sweep pk-span critical --critical=403 -o out "$here/named.pk"
pk-span -q --name s --start 'sched*' --end '*' --key tid --pass -o "$here/spans.pk" "$here/named.pk"
sweep pk-span critical --critical-of pk:s --critical-id tid -o out "$here/spans.pk"
