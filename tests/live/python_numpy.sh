# SPDX-License-Identifier: BSD-2-Clause
# The programs in docs/python.md that give columns to NumPy and to pandas, and a comparison of each value.
# shellcheck source-path=SCRIPTDIR
. "$PK_TOP/tests/live/python.bash"
with_numpy=$(for p in python3 /usr/bin/python3; do $p -c 'import numpy' 2>/dev/null && echo $p && break; done)
[ -n "$with_numpy" ] || {
	echo "python3 has no NumPy" >&2
	exit 77
}
awk '/^```python/ { inside = ++n == 2; next } /^```/ { inside = 0 } inside' "$PK_TOP/docs/python.md" >program.py
grep -q numpy program.py || { echo "the second program of docs/python.md is not the one for NumPy"; exit 1; }
cp "$PK_TOP/tests/data/x86_64.pk.zst" app.pk
LD_PRELOAD=$preload $with_numpy program.py >out 2>&1 && [ -s out ] || { cat out; exit 1; }
$with_numpy -c 'import pandas' 2>/dev/null || {
	echo "$with_numpy has no pandas" >&2
	exit 77
}
awk '/^```python/ { text = ""; inside = 1; next } /^```/ { if (text ~ /to_pandas/) print text; inside = 0 } inside { text = text $0 "\n" }' \
	"$PK_TOP/docs/python.md" >program.py
grep -q to_pandas program.py || { echo "docs/python.md has no program for pandas"; exit 1; }
pk-symbolize -q app.pk >symbolized.pk && mv symbolized.pk app.pk || exit 1
cat - program.py >compared.py <<'E'
import pandas
E
cat >>compared.py <<'E'
columns = pkstream.open("app.pk").columns("comm", "tid", "symbol", "stack", "addr")
table = columns.to_pandas()
assert len(table) == columns.count > 0, len(table)
for name, column in columns.items():
    for found, expected in zip(table[name], column):
        assert found == expected or (expected is None and pandas.isna(found)), (name, found, expected)
E
LD_PRELOAD=$preload $with_numpy compared.py >out 2>&1 && [ -s out ] || { cat out; exit 1; }
