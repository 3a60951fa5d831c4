# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154
sweep pk-fold "$symbolized"
sweep -i "$symbolized" pk-fold -o out --weight=samples
sweep pk-fold --by=comm,pid,cpu,event,host --reverse --modules --lines --sort=weight "$symbolized" "$raw"
sweep pk-fold --root='*' --leaf='*' --by=tid,cgroup --collapse-recursion --max-depth=3 "$symbolized"
sweep pk-fold --diff="$symbolized" "$listed"
sweep pk-fold --weight=latency "$latency"
sweep pk-fold --event='sched:*' --weight=prev_prio --by=comm "$tracepoints"
sweep pk-fold "$compressed" "$folder"
sweep pk-fold --live=1s --addresses "$symbolized"
sweep pk-fold --by=type,typeoff,typecln,symoff --no-cache --kallsyms=/dev/null --symfs="$root" "$listed"
