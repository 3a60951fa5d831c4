# SPDX-License-Identifier: BSD-2-Clause
# mypy accepts the stubs, programs that use them rightly, and refuses those that do not.
command -v mypy >/dev/null || {
	echo "no mypy" >&2
	exit 77
}
cp -r "$PK_TOP/python/pkstream" .
cat >right.py <<'END'
from typing import Optional
import pkstream

def names(path: str) -> list[Optional[str]]:
    with pkstream.open(path, where="pid > 1") as reader:
        return [sample.comm for sample in reader.samples() if sample.stack and sample.stack[0].symbol]

def total(path: str) -> int:
    columns = pkstream.open(path).columns("period")
    return sum(columns["period"].values) + columns.count

def rate(path: str) -> Optional[float]:
    for counts in pkstream.counts(path):
        return counts.ratio("context-switches", "task-clock")
    return None

def faults() -> int:
    with pkstream.Counters("page-faults", tids=[1, 2]) as counters:
        return counters.read()["page-faults"].value

with pkstream.Writer(1, stage="x") as writer:
    for record in pkstream.record("-a"):
        writer.write(record)
END
cat >wrong.py <<'END'
import pkstream
pkstream.open(1.5)
pkstream.open("x", order=True)
text: str = next(pkstream.open("x").samples()).period
pkstream.Writer("x").write(b"bytes")
pkstream.Counters(["list"])
END
mypy --strict pkstream/__init__.pyi right.py >out 2>&1 || { cat out; exit 1; }
mypy --strict wrong.py >out 2>&1
for line in 2 3 4 5 6; do
	grep -q "^wrong.py:$line: error" out || { echo "line $line of wrong.py is accepted:"; cat out; exit 1; }
done
