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
sweep pk-export bolt "$raw"
sweep pk-export profgen -o out "$raw"
