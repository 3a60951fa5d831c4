# SPDX-License-Identifier: BSD-2-Clause
# The program in docs/python.md that gives columns to NumPy.
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
