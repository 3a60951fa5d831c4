# SPDX-License-Identifier: BSD-2-Clause
# Functions of a real node process have names: by its perf map, and by its jitdump, also elsewhere.
. "$PK_TOP/tests/live/elsewhere.bash"

command -v node >/dev/null || skip "no node (package nodejs)"
cat >app.js <<'END'
function innermost(n) { let s = 0; for (let i = 0; i < n; i++) s += Math.sqrt(i) * 0.5; return s; }
function outermost(n) { let s = 0; for (let i = 0; i < 50; i++) s += innermost(n); return s; }
const end = process.cpuUsage().user + 800000;
while (process.cpuUsage().user < end) outermost(2000);
console.log(process.pid);
END

# record OUTPUT OPTION...
record()
{
	local out=$1
	shift
	timeout 60 pk-record -F 499 -k monotonic -e $event -g -o "$out" -- node "$@" app.js >pid 2>err ||
		skip "node $*: $(head -n 1 err)"
}

record map.pk --perf-basic-prof --interpreted-frames-native-stack
fold map.pk
mv "/tmp/perf-$(cat pid).map" . || fail "node wrote no perf map"
shows node '.*JS:[^;]*(inner|outer)most[^;]*' 400
fold map.pk
shows_not '(inner|outer)most'

record dump.pk --perf-prof --interpreted-frames-native-stack
fold dump.pk
shows node '.*JS:[^;]*(inner|outer)most[^;]*' 400
pk-inject -q -o portable.pk dump.pk || fail "pk-inject"
make_elsewhere
rm jit-*.dump
cp folded here
folded_there portable.pk
cmp -s here there || fail "here and elsewhere are different:" "$(diff here there | cut -c1-300 | head -n 20)"
exit 0
