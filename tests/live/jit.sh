# SPDX-License-Identifier: BSD-2-Clause
# Code that a program wrote to its own memory is named as the program says in /tmp/perf-PID.map.
. "$PK_TOP/tests/live/fold.bash"

compile jit.c jit || fail "$(cat compile.err)"
pk-record -F 999 -e $event -g -o out.pk -- ./jit >pid 2>err
status=$?
trap 'rm -f "/tmp/perf-$(cat pid).map"' EXIT
[ $status != 77 ] || skip "jit.c has no code for $(uname -m)"
[ $status = 0 ] || fail "status $status: $(cat err)"
check out.pk
fold out.pk
shows jit 'main;jit;run_jitted;jitted one' 50
shows jit 'main;jit;run_jitted;Jitted::two' 50
shows jit 'main;jit;run_jitted;in_memfd' 50
shows jit 'main;jit;run_jitted;in_memfd_too' 50
shows jit 'main;jit;run_jitted;in_file' 50
shows jit 'main;jit;run_jitted;in_file_too' 50

# pk-inject takes the names along.
pk-inject out.pk >injected.pk 2>err || fail "pk-inject: $(cat err)"

# Without the file: where it was, and that there are no names.
mv "/tmp/perf-$(cat pid).map" map
fold out.pk
shows_not 'run_jitted;(jitted|Jitted|in_memfd|in_file)'
shows jit 'main;jit;run_jitted;\[perf-[0-9]+\.map\]' 100
shows jit 'main;jit;run_jitted;\[memfd:jit\]' 100
shows jit 'main;jit;run_jitted;\[image\]' 100
fold injected.pk
shows jit 'main;jit;run_jitted;jitted one' 50
shows jit 'main;jit;run_jitted;in_file' 50
shows jit 'main;jit;run_jitted;in_file_too' 50
exit 0
