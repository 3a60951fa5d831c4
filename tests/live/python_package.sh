# SPDX-License-Identifier: BSD-2-Clause
# The package's wheel, its stubs, and the programs in docs/python.md.
# shellcheck source-path=SCRIPTDIR
. "$PK_TOP/tests/live/python.bash"
set -u
status=0
complain()
{
	echo "$*"
	status=1
}

# Without sanitizers, the wheel is built and works outside of the checkout, with a pip or without.
if [ -z "$PK_SAN" ]; then
	mkdir wheel site
	(cd "$PK_TOP/python" && B=$PK_BUILD python3 -c 'import sys, backend; print(backend.build_wheel(sys.argv[1]))' "$OLDPWD/wheel") \
		>log 2>&1 || complain "build_wheel: $(<log)"
	python3 - wheel/*.whl <<'END' || complain "the wheel is not as its RECORD says"
import base64, hashlib, sys, zipfile
wheel = zipfile.ZipFile(sys.argv[1])
wheel.extractall("site")
record = next(name for name in wheel.namelist() if name.endswith("RECORD"))
lines = wheel.read(record).decode().splitlines()
assert len(lines) == len(wheel.namelist()) >= 8, lines
for line in lines:
    name, digest, size = line.split(",")
    data = wheel.read(name)
    wanted = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    assert name == record or (digest == "sha256=" + wanted and int(size) == len(data)), line
END
	case $(echo wheel/*) in *-cp39-abi3-linux_*.whl) ;; *) complain "the wheel is called $(echo wheel/*)" ;; esac
	PYTHONPATH=site python3 -c 'import pkstream; assert "/site/" in pkstream.__file__, pkstream.__file__' || complain "import"
	if python3 -m pip --version >/dev/null 2>&1; then
		B=$PK_BUILD python3 -m pip install --quiet --no-index --no-deps --target installed "$PK_TOP/python" >log 2>&1 &&
			[ -e installed/pkstream/_pkstream.abi3.so ] || complain "pip install: $(<log)"
	fi
fi

# The stubs have the names of the module, and of the attributes of its types.
python - "$PK_BUILD/python/pkstream/__init__.pyi" <<'END' || complain "the stubs are not complete"
import ast, sys
import pkstream

def names(nodes):
    found = set()
    for node in nodes:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            found.add(node.name)
        elif isinstance(node, ast.AnnAssign):
            found.add(node.target.id)
    return found

tree = ast.parse(open(sys.argv[1]).read()).body
missing = set(pkstream.__all__) - names(tree)
for node in tree:
    kind = getattr(pkstream, getattr(node, "name", ""), None)
    if isinstance(kind, type):
        public = {name for name in vars(kind) if not name.startswith("_")}
        if kind is pkstream.Reader:
            public |= {name for name in vars(kind.__mro__[1]) if not name.startswith("_")}
        public -= {"n_fields", "n_sequence_fields", "n_unnamed_fields"}
        missing |= {f"{node.name}.{name}" for name in public - names(node.body)}
        for name in public:
            attribute = getattr(kind, name)
            if not getattr(attribute, "__doc__", None) and node.name not in ("Frame", "Column", "Error"):
                missing.add(f"{node.name}.{name}: no docstring")
missing |= {f"{name}: no docstring" for name in pkstream.__all__ if not getattr(pkstream, name).__doc__}
sys.exit("missing: " + ", ".join(sorted(missing)) if missing else 0)
END

# The programs of docs/python.md without that for pandas: the first is spans.py, the second is that of python_numpy.sh, then a filter and
# handlers.
awk '/^```python/ { inside = 1; text = ""; next }
	/^```/ { if (inside && text !~ /to_pandas/) printf "%s", text > ("program" ++n ".py"); inside = 0 }
	inside { text = text $0 "\n" }' \
	"$PK_TOP/docs/python.md"
cp "$PK_TOP/tests/data/x86_64.pk.zst" app.pk
[ -s program4.py ] || complain "docs/python.md has not four programs"
pk-span --name=writes --start=sys_enter_write --end=sys_enter_write --key tid "$PK_TOP/tests/data/arm64.pk.zst" >calls.pk 2>/dev/null
python program1.py calls.pk >out 2>&1 && grep -q ' ms .* writes$' out || complain "program 1: $(<out)"
python program3.py <app.pk >user.pk 2>err && pk-script -F mode user.pk 2>/dev/null | sort -u >out
grep -q user out && [ "$(grep -c . out)" = 1 ] || complain "program 3: $(<err) $(<out)"
python program4.py "$PK_TOP/tests/data/arm64.pk.zst" >out 2>&1 && [ "$(grep -c -e '->' out)" = 5 ] || complain "program 4: $(<out)"
[ -s program6.py ] || complain "docs/python.md has not six programs"
if pk-stat -q --stream -I 20 -e page-faults,task-clock,context-switches -- sh -c 'sleep 0.03; exit 0' >counts.pk 2>err; then
	python program5.py >out 2>&1 && grep -qE '^page-faults(:u)? [1-9]' out || complain "program 5: $(<out)"
	rate='[1-9][0-9.]*'
	! grep -q '^page-faults:u' out || rate='0\.00' # user space alone does not switch
	python program6.py counts.pk >out 2>&1 && grep -q '^0.[0-9]* [1-9]' out || complain "program 6: $(<out)"
	python "$PK_TOP/examples/python/metrics.py" counts.pk >out 2>&1 && grep -qE "cs_per_second $rate, ipc -\$" out ||
		complain "metrics.py: $(<out)"
	# pk-stat calculates this rate, too, from numbers with three digits.
	pk-stat --json -e context-switches,task-clock -- sleep 0.01 2>lines
	PYTHONPATH+=:$PK_TOP/examples/python python - lines <<'END' || complain "cs_per_second is not the rate of pk-stat: $(<lines)"
import json, sys
import metrics, pkstream
lines = open(sys.argv[1]).read().splitlines()
(counts,) = pkstream.counts(lines)
line = json.loads(lines[0])
rate = line["metric-value"] * (1000 if line["metric-unit"] == "K/sec" else 1)
sys.exit(abs(metrics.cs_per_second(counts) - rate) > 0.01 * rate)
END
else
	echo "pk-stat cannot count here: $(head -n 1 err)" >&2
fi

# Metrics of events that this machine may not have: the numbers are made up.
PYTHONPATH+=:$PK_TOP/examples/python python - <<'END' || complain "metrics.py calculates other fractions"
import metrics, pkstream
def made(**numbers):
    counts = pkstream.Counts("", None)
    counts.update({name.replace("__", ".").replace("_td_", "topdown-").replace("9", "-"): n for name, n in numbers.items()})
    return counts
assert metrics.ipc(made(instructions=30, cycles=20)) == 1.5
assert metrics.ipc(made(instructions=30)) is None and metrics.ipc(made(instructions=30, cycles=0)) is None
assert metrics.topdown(made(cycles=5)) is None
level = metrics.topdown(made(_td_retiring=50, _td_bad9spec=10, _td_fe9bound=20, _td_be9bound=20))
assert level == {"retiring": 0.5, "bad speculation": 0.1, "frontend bound": 0.2, "backend bound": 0.2}, level
level = metrics.topdown(made(cycles=100, uops_retired__retire_slots=200, uops_issued__any=220, int_misc__recovery_cycles=5,
                             idq_uops_not_delivered__core=80))
assert [round(value, 6) for value in level.values()] == [0.5, 0.1, 0.2, 0.2], level
END

# What pk-script --gen writes is a program that prints each sample.
for f in tests/data/arm64.pk.zst format/vectors/good/pk-arguments-le.pk; do
	pk-script -q --gen=python "$PK_TOP/$f" >generated.py
	python generated.py "$PK_TOP/$f" >out 2>&1 || complain "--gen: $(<out)"
	samples=$(pk-script -q --json "$PK_TOP/$f" 2>/dev/null | grep -c '"SAMPLE"')
	[ "$(grep -c . out)" = "$samples" ] || complain "--gen: $(grep -c . out) lines, not $samples"
done
exit $status
