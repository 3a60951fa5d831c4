# SPDX-License-Identifier: BSD-2-Clause
# Stacks of Ruby at known moments are those that the interpreter itself notes: methods, blocks, exceptions, fibers, threads, children, hooks,
# calls from C. tests/long/interpreted_truth_ruby.sh compares more.
. "$PK_TOP/tests/live/fold.bash"
. "$PK_TOP/tests/live/interpreted_truth.bash"
pk-record -q --call-graph unwind -e cpu-clock -o probe.pk -- true 2>err || skip "stacks cannot be unwound in the kernel here: $(tail -n 1 err)"
[ "$(uname -m)" = x86_64 ] || skip "frames of Ruby are read on x86-64 only"
rubies_with_headers >rubies
[ -s rubies ] || skip "no Ruby 3.1 or 3.3 has its headers of C"

while read -r ruby; do
	extension_of_ruby "$ruby" || fail "$(cat compile.err)"
	compare_moments ruby "$ruby" -W0 "$PK_TOP/tests/live/workload/interpreted_moments.rb" "${ROUNDS:-16}" >compared || fail "$ruby: $(cat compared)"
	echo "$ruby: $(tail -n 1 compared)"
done <rubies
exit 0
