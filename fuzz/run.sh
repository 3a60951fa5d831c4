#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# run.sh [NAME...]: fuzzes the targets for FUZZ_SECONDS each, all without a name. What is new goes to
# build-fuzz/corpus/NAME, what fails to build-fuzz/NAME-*. `make fuzz T=NAME` calls it, after building.
# A target that says "seeds: streams" begins with the golden streams, too.
set -u
cd "$(dirname "$0")/.." || exit 1
build=${B:-build-fuzz}
failed=0
names=("$@")
[ $# -gt 0 ] || for f in fuzz/fuzz_*.c; do
	f=${f#fuzz/fuzz_}
	names+=("${f%.c}")
done
for name in "${names[@]}"; do
	mkdir -p "$build/corpus/$name" "fuzz/corpus/$name"
	seeds=("fuzz/corpus/$name")
	if grep -q '^/\* seeds: streams \*/' "fuzz/fuzz_$name.c"; then
		seeds+=(format/vectors/good format/vectors/bad)
	fi
	echo "== $name"
	"$build/fuzz/fuzz_$name" -max_total_time="${FUZZ_SECONDS:-60}" -rss_limit_mb=2048 -timeout=10 \
		-print_final_stats=1 -verbosity=0 -artifact_prefix="$build/$name-" \
		"$build/corpus/$name" "${seeds[@]}" 2>&1 | tail -n 40
	[ "${PIPESTATUS[0]}" = 0 ] || failed=$((failed + 1))
done
echo "${#names[@]} targets, $failed failed"
[ $failed = 0 ]
