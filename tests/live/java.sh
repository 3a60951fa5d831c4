# SPDX-License-Identifier: BSD-2-Clause
# Functions of a real Java process have names, which it writes to its perf map as it ends; also elsewhere.
. "$PK_TOP/tests/live/elsewhere.bash"

command -v java >/dev/null && command -v javac >/dev/null || skip "no JDK (package default-jdk-headless)"
java -XX:+UnlockDiagnosticVMOptions -XX:+PrintFlagsFinal -version 2>/dev/null | grep -q DumpPerfMapAtExit ||
	skip "java writes no perf map (-XX:+DumpPerfMapAtExit came with 17)"
cat >App.java <<'END'
public class App {
	static double innermost(int n) { double s = 0; for (int i = 0; i < n; i++) s += Math.sqrt(i) * 0.5; return s; }
	static double outermost(int n) { double s = 0; for (int i = 0; i < 50; i++) s += innermost(n); return s; }
	public static void main(String[] args) {
		var thread = java.lang.management.ManagementFactory.getThreadMXBean();
		double s = 0;
		while (thread.getCurrentThreadCpuTime() < 2_000_000_000L) s += outermost(2000);
		System.out.println(ProcessHandle.current().pid());
	}
}
END
javac App.java 2>err || fail "$(cat err)"
timeout 60 pk-record -F 499 -e $event -g -o out.pk -- \
	java -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit -XX:+PreserveFramePointer -XX:-Inline App >pid 2>err ||
	skip "java: $(head -n 1 err)"
trap 'rm -f "/tmp/perf-$(cat pid).map"' EXIT
fold out.pk
shows java '[^;]*App.outermost[^;]*;[^;]*App.innermost[^;]*' 400
pk-inject -q -o portable.pk out.pk || fail "pk-inject"
mv "/tmp/perf-$(cat pid).map" map
make_elsewhere
cp folded here
folded_there portable.pk
cmp -s here there || fail "here and elsewhere are different:" "$(diff here there | cut -c1-300 | head -n 20)"
fold out.pk
shows_not 'innermost'
exit 0
