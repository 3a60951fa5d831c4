#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Records workload.c with call stacks and leaves demo.folded and demo.svg, a flame graph, beside the Makefile.
# `make demo` calls it, after building. Where the kernel does not let us record, a recording that ships with pk
# stands in.
set -eu -o pipefail
cd "$(dirname "$0")/.."
build=${B:-build}
PATH=$PWD/$build/bin:$PATH
# Without stdout and stderr there are still the files to make.
{ :; } 2>/dev/null 9>&1 || exec >/dev/null
{ :; } 9>&2 || exec 2>/dev/null
export LC_ALL=C # sort and awk agree on what a number is
rm -f demo.pk demo.folded demo.svg

mkdir -p "$build/demo"
${CC:-cc} -O2 -g -pthread -o "$build/demo/workload" demo/workload.c

if pk-record -q -o "$build/demo/probe" -- true; then
	recording=demo.pk
	echo "\$ pk-record --call-graph auto -F 997 -- $build/demo/workload | pk-unwind | pk-symbolize > demo.pk"
	pk-record --call-graph auto -F 997 -- "$build/demo/workload" | pk-unwind | pk-symbolize >demo.pk
else
	# Made by: pk-record -g -F 199 -- ./workload | pk-symbolize | zstd -19 > demo.pk
	recording=demo/demo.pk
	echo "This machine does not let pk record; a recording that ships with pk stands in."
fi

echo "\$ pk-fold $recording > demo.folded"
pk-fold "$recording" >demo.folded

echo "\$ pk-plot flame $recording > demo.svg"
pk-plot flame "$recording" >demo.svg

echo
echo "The hottest stacks of $recording:"
awk '{ total += $NF; n[NR] = $NF; sub(/ [0-9]+$/, ""); stack[NR] = $0 }
	END { for (i = 1; i <= NR; i++) printf "%.1f\t%s\n", 100 * n[i] / total, stack[i] }' demo.folded |
	sort -rn | awk -F '\t' 'NR <= 10 {
		s = length($2) > 100 ? "..." substr($2, length($2) - 96) : $2
		printf "%5.1f%%  %s\n", $1, s }'
echo
echo "All of them: demo.folded; the picture: demo.svg"
