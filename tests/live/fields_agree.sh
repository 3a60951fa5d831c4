# SPDX-License-Identifier: BSD-2-Clause
# long
# All programs agree on the values of fields, wherever these are named: 300 combinations of a field, a
# stream and a place. PK_SEED=N draws others.
for name in x86_64 arm64 s390x; do
	cp "$PK_TOP/tests/data/$name.pk.zst" "$name.pk" && cp "$PK_TOP/tests/data/$name.perf.zst" "$name.perf" || exit 1
done
# In those with counter values a sample counts for several events.
cp "$PK_TOP"/format/vectors/good/sample-*-le.pk . && rm -f sample-read*
perl "$PK_TOP/tests/live/fields_agree.pl" "${PK_SEED:-1}" 300 ./*.pk ./*.perf
