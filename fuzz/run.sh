#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# run.sh [NAME...]: fuzzes the targets for FUZZ_SECONDS each, all without a name. What is new goes to
# build-fuzz/corpus/NAME; inputs that fail go to fuzz/corpus/NAME, where make check replays them.
# build-fuzz/results gets a line for each target: name, executions, edges. `make fuzz T=NAME` calls it,
# after building. A target that says "seeds: streams" begins with the golden streams, too.
set -u
cd "$(dirname "$0")/.." || exit 1
build=${B:-build-fuzz}
failed=0
export LSAN_OPTIONS=${LSAN_OPTIONS-suppressions=$PWD/tests/lsan.supp:print_suppressions=0}
names=("$@")
[ $# -gt 0 ] || for f in fuzz/fuzz_*.c; do
	f=${f#fuzz/fuzz_}
	names+=("${f%.c}")
done
: >"$build/results"
for name in "${names[@]}"; do
	mkdir -p "$build/corpus/$name" "fuzz/corpus/$name"
	seeds=("fuzz/corpus/$name")
	if grep -q '^/\* seeds: streams \*/' "fuzz/fuzz_$name.c"; then
		seeds+=(format/vectors/good format/vectors/bad)
	fi
	echo "== $name"
	"$build/fuzz/fuzz_$name" -max_total_time="${FUZZ_SECONDS:-60}" -rss_limit_mb=2048 -timeout=10 \
		-print_final_stats=1 -artifact_prefix="fuzz/corpus/$name/" \
		"$build/corpus/$name" "${seeds[@]}" >"$build/log" 2>&1 || failed=$((failed + 1))
	grep -v '^#' "$build/log" | tail -n 40
	awk -v name="$name" '{ for (i = 1; i < NF; i++) if ($i == "cov:") edges = $(i + 1) }
		/^stat::number_of_executed_units:/ { executions = $2 }
		END { print name, executions + 0, edges + 0 }' "$build/log" >>"$build/results"
done
echo "${#names[@]} targets, $failed failed"
[ $failed = 0 ]
