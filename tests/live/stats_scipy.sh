# SPDX-License-Identifier: BSD-2-Clause
# The expected numbers of tests/unit/test_stats.c are those that the installed SciPy calculates. Versions of SciPy differ in
# the last digits.
python=/usr/bin/python3
"$python" -c 'import scipy' 2>/dev/null || { echo "SciPy (Debian: python3-scipy) is not installed" >&2; exit 77; }
"$python" "$PK_TOP/tests/unit/stats_vectors.py" >now.h || exit
"$python" - "$PK_TOP/tests/unit/stats_vectors.h" now.h <<'END'
import re
import sys

NUMBER = r"-?(?:\d+\.?\d*(?:e[-+]?\d+)?|INFINITY)"


def read(path):
    with open(path, encoding="ascii") as file:
        text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.DOTALL)
    arrays = re.findall(r"(\w+)\[\] = \{(.*?)\n\};", text, re.DOTALL)
    return {name: [float(n.replace("INFINITY", "inf")) for n in re.findall(NUMBER, body)] for name, body in arrays}


old, new = read(sys.argv[1]), read(sys.argv[2])
assert old.keys() == new.keys() and len(old) >= 10, (old.keys(), new.keys())
compared = 0
for name, values in old.items():
    assert len(values) == len(new[name]) > 0, name
    for i, (a, b) in enumerate(zip(values, new[name])):
        assert a == b or abs(a - b) <= 1e-9 * abs(b), f"{name}, number {i}: {a}, SciPy says {b}"
        compared += 1
print(compared, "numbers")
END
