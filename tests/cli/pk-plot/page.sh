# SPDX-License-Identifier: BSD-2-Clause
# long
# Pages: the numbers of their data are those of pk-report. Names stand only in these data. Nothing can be loaded.
command -v python3 >/dev/null || { echo "python3 is not installed" >&2; exit 77; }
for name in x86_64 arm64 s390x; do
	for kind in pk perf; do
		zstd -dq "$PK_TOP/tests/data/$name.$kind.zst" -o $name.$kind
		pk-plot page -q --no-cache -o $name.html $name.$kind
		PYTHONPATH=$PK_TOP/tests/live python3 -B "$PK_TOP/tests/live/page_data.py" $name.$kind $name.html $name.$kind 4
	done
done
for name in sample-bits-le file-attr-sizes-be; do
	pk-plot page -q --no-cache -o $name.html "$PK_TOP/format/vectors/good/$name.pk"
	PYTHONPATH=$PK_TOP/tests/live python3 -B "$PK_TOP/tests/live/page_data.py" $name $name.html \
		"$PK_TOP/format/vectors/good/$name.pk" 4
done
grep -c "Content-Security-Policy.*default-src 'none'" x86_64.html
grep -ci 'https\?://\|src=\|@import\|innerHTML' x86_64.html
echo "names outside of the data: $(grep -c 'do_syscall_64\|fixture-vm' x86_64.html)"
pk-plot page --title '</script><b>' -q -o title.html x86_64.pk
grep -c '<b>' title.html
pk-plot page -q --where "pid == 1" -o none.html x86_64.pk
echo "status $?, page: $(ls none.html 2>/dev/null)"
pk-plot page --colors io x86_64.pk
echo "status $?"
head -c 60000 x86_64.pk >cut.pk
pk-plot page -q -o cut.html cut.pk
echo "status $?"
PYTHONPATH=$PK_TOP/tests/live python3 -Bc 'import page_numbers; print(page_numbers.Page("cut.html").head["losses"])'
