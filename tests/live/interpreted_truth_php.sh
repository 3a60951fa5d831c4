# SPDX-License-Identifier: BSD-2-Clause
# Stacks of PHP at known moments are those that the interpreter itself notes: functions, methods, closures, generators, fibers, exceptions,
# evaluated code, signal handlers, children.
. "$PK_TOP/tests/live/fold.bash"
. "$PK_TOP/tests/live/interpreted_truth.bash"
pk-record -q --call-graph unwind -e cpu-clock -o probe.pk -- true 2>err || skip "stacks cannot be unwound in the kernel here: $(tail -n 1 err)"
[ "$(uname -m)" = x86_64 ] || skip "frames of PHP are read on x86-64 only"
known_phps FFI pcntl posix >phps
[ -s phps ] || skip "no PHP from 8.0 to 8.4 has the modules FFI, pcntl and posix"
${CC:-cc} -O2 -shared -fPIC -o php_moments.so "$PK_TOP/tests/live/workload/php_moments.c" 2>compile.err || fail "$(cat compile.err)"

# Closures are freed soon after their call, and some are gone before they are read.
marked=25
while read -r php; do
	LIBRARY=$PWD/php_moments.so compare_moments php "$php" "$PK_TOP/tests/live/workload/interpreted_moments.php" "${ROUNDS:-32}" >compared || fail "$php: $(cat compared)"
	echo "$php: $(tail -n 1 compared)"
done <phps
exit 0
