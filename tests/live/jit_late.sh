# SPDX-License-Identifier: BSD-2-Clause
# A program that writes its perf map when it ends: its code has names, also in a pipeline.
. "$PK_TOP/tests/live/fold.bash"

compile jit.c jit || fail "$(cat compile.err)"
./jit never >pid
[ $? != 77 ] || skip "jit.c has no code for $(uname -m)"
trap 'sed "s|.*|/tmp/perf-&.map|" pid* | xargs -r rm -f' EXIT

# late WAIT_SIZE COMMAND...: records it, in a pipeline that also writes late.pk
late()
{
	pk-record -F 999 -e $event -g -o - -- "${@:2}" 2>record.err | tee late.pk |
		pk-symbolize --wait-size "$1" 2>err | pk-fold >folded 2>>err
	[ "${PIPESTATUS[*]}" = '0 0 0 0' ] || fail "${PIPESTATUS[*]}: $(cat record.err err)"
}

# Each has its own file "image".
mkdir other
late 64M sh -c './jit late >pid; (cd other && exec ../jit late >../pid2) & ./jit late >pid3; wait'
for name in 'jitted one' 'Jitted::two' in_memfd in_memfd_too in_file in_file_too; do
	shows jit "main;jit;run_jitted;$name" 150
done
shows_not '\[perf-[0-9]+\.map\]'
! grep generated err || fail "names are missing: $(cat err)"
mv folded piped
fold late.pk
cmp piped folded || fail "pipe and file are different:" "$(diff piped folded | cut -c1-200 | head -n 20)"

# No names: a message that says how to get them. No sample is lost, with any limit.
for size in 0 4k 64M; do
	late "$size" ./jit never
	shows_not 'run_jitted;jitted one'
	grep -q '^pk-symbolize: code that programs generated has no names in [0-9.]*% of the samples: .*/tmp/perf-PID.map' err ||
		fail "wait-size $size: $(cat err)"
	awk '{ n += $NF } END { print n }' folded >sum
	fold late.pk
	[ "$(awk '{ n += $NF } END { print n }' folded)" = "$(cat sum)" ] || fail "samples are lost: $size"
done
exit 0
