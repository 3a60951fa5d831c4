# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154
printf 'prog;main;work 60\nprog;main;write 20\nprog 1\n' >"$here/small.folded"
sweep pk-plot flame "$symbolized"
sweep -i "$here/small.folded" pk-plot flame -o out --icicle --title=title --html
sweep pk-plot flame --diff="$here/small.folded" "$symbolized"
sweep pk-plot flame --by=comm,pid --modules --no-cache --kallsyms=/dev/null --symfs="$root" "$listed"
sweep pk-plot flame --help
sweep pk-plot heatmap --field period --by comm,tid -o out --title=title --quantiles 50 "$symbolized"
sweep pk-plot heatmap --subsecond --html --groups 1 --by pid "$symbolized"
sweep pk-plot histogram --field prev_prio --by prev_comm --scale linear --step 2 --min -5 "$tracepoints"
sweep pk-plot histogram --field period --text --by comm --where 'pid > 0' "$symbolized"
sweep pk-plot histogram --field ip --csv --scale log10 --weight period -o out "$symbolized"
printf 'work\thref=a\ttitle=b\n' >"$here/attributes"
sweep -i "$here/small.folded" pk-plot flame -o out --flamechart --reverse --nameattr="$here/attributes" --cp=out.map
sweep pk-plot chart --by comm,tid --modules --lanes 2 -o out "$symbolized"
sweep pk-plot chart --html --where 'pid > 0' "$symbolized"
pk-span -q --name s --start '*' --end '*' --key tid "$tracepoints" >"$here/spans.pk"
sweep pk-plot timeline --by cpu -o out "$here/spans.pk"
sweep pk-plot chart "$here/spans.pk"
sweep pk-plot timeline "$PK_TOP/format/vectors/good/user-stat-le.pk"
sweep pk-plot page -o out --title=title "$symbolized"
sweep pk-plot page --where 'pid > 0' --no-cache --kallsyms=/dev/null --symfs="$root" "$listed"
sweep pk-plot page -o out "$here/spans.pk"
sweep pk-plot flame --diff="$symbolized" "$symbolized"
sweep pk-plot page --diff="$symbolized" --code=3 "$symbolized"
