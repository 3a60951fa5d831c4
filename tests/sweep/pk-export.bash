# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154
sweep pk-export perf.data -o out "$symbolized"
sweep -i "$tracepoints" pk-export perf.data -o out
sweep pk-export perf.data --session=2 -o out "$raw" "$symbolized"
sweep pk-export perf.data -o out "$vectors/file-feature-large-le.pk"
sweep pk-export pprof -o out.gz "$symbolized"
sweep pk-export otlp -o out.otlp.gz "$symbolized"
sweep -i "$tracepoints" pk-export otlp --by none -o out.otlp
sweep -i "$tracepoints" pk-export pprof --by none -o out.gz
sweep pk-export callgrind "$symbolized"
sweep pk-export speedscope -o out.json.gz "$symbolized"
sweep pk-export speedscope --evented --lines "$raw"
sweep pk-export firefox -o out.json.gz "$symbolized"
sweep -i "$tracepoints" pk-export firefox
sweep -i "$tracepoints" pk-export trace --samples -o out.json.gz
sweep -i "$tracepoints" pk-export trace --perfetto --name comm -o out.pftrace
sweep pk-export rows --format csv "$symbolized"
sweep pk-export rows --each --frames address --tables . "$raw"
sweep pk-export sqlite -o out.db "$symbolized"
branches=$here/branches.pk
{
	header
	event_of 7 'PERIOD BRANCH_STACK' attr_size=80 branch_sample_type=9
	name 7 cycles
	comm 5 5 list
	maps 5 0x400000 0x1000 "$PK_TOP/tests/data/annotate/list"
	sample_of user 7 5 0x400100 time=1 period=100
	echo "  branch[0]=0x400132 -> 0x400158 branch[1]=0x400119 -> 0x400110 branch[2]=0x400153 -> 0x400100"
} | assemble >"$branches"
sweep pk-export bolt "$branches"
sweep pk-export bolt --traces -o . "$branches"
sweep pk-export profgen --object="$PK_TOP/tests/data/annotate/list" -o out "$branches"
sweep pk-export autofdo --object="$PK_TOP/tests/data/annotate/list" -o out "$branches"
