#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# coverage.sh FUZZ_BUILD BUILD: prints a table of all fuzz targets: executions and edges of the last
# fuzz/run.sh in FUZZ_BUILD, and the share of the lines of each file that the target says it covers. BUILD has the
# programs replay_NAME with clang's coverage; they replay the inputs in fuzz/corpus and in FUZZ_BUILD/corpus.
set -u -o pipefail
cd "$(dirname "$0")/.." || exit 1
fuzz=$1 build=$2 failed=0
printf '| target | executions | edges | lines of the parser that the inputs reach |\n|---|---|---|---|\n'
while read -r name executions edges; do
	seeds=("fuzz/corpus/$name" "$fuzz/corpus/$name")
	if grep -q '^/\* seeds: streams \*/' "fuzz/fuzz_$name.c"; then
		seeds+=(format/vectors/good format/vectors/bad)
	fi
	find "${seeds[@]}" -type f -print0 2>/dev/null | LLVM_PROFILE_FILE=$build/$name-%m.profraw \
		xargs -0 "$build/fuzz/replay_$name" >/dev/null 2>&1 || echo "$name: an input fails" >&2
	llvm-profdata merge -o "$build/$name.profdata" "$build/$name"-*.profraw || failed=1
	mapfile -t files < <(awk '/^\/\* covers: / { on = 1 } on { text = text " " $0 } /\*\/$/ { on = 0 }
		END { gsub(/\/\* covers:| \* |\*\//, " ", text); print text }' "fuzz/fuzz_$name.c" | xargs -n 1)
	[ ${#files[@]} -gt 0 ] || { echo "$name: covers no file" >&2 && failed=1; }
	llvm-cov export -summary-only -instr-profile="$build/$name.profdata" "$build/fuzz/replay_$name" "${files[@]}" |
		jq -r --arg name "$name" --arg executions "$executions" --arg edges "$edges" '
			[.data[0].files[] | "`\(.filename | sub(".*/(?<a>[^/]+/[^/]+)$"; "\(.a)"))` " +
				"\(.summary.lines.percent | floor) %"] | "| \($name) | \($executions) | \($edges) | \(join(", ")) |"' ||
		failed=1
	rm -f "$build/$name"*.profraw "$build/$name.profdata"
done <"$fuzz/results"
exit $failed
