# SPDX-License-Identifier: BSD-2-Clause
# long
# pk-report adds up what pk-script --json prints: 150 combinations of fields and aggregates, drawn anew each time, also with --group and
# --hierarchy.
# PK_SEED=N draws those of an earlier run again.
command -v perl >/dev/null || {
	echo "no perl" >&2
	exit 77
}
for name in x86_64 arm64 s390x; do
	cp "$PK_TOP/tests/data/$name.pk.zst" "$name.pk" && pk-symbolize -q --symfs=/nonexistent --lines "$name.pk" >"$name.sym" || exit 1
done
. "$PK_TOP/tests/cli/pk-report/memory.bash"
accesses | assemble >memory.pk || exit 1
pk-symbolize -q --symfs=/nonexistent "$PK_TOP/demo/demo.pk" >demo.sym || exit 1
perl "$PK_TOP/tests/live/report_agree.pl" "${PK_SEED:-$(date +%s)}" 150 ./*.pk ./*.sym
