# SPDX-License-Identifier: BSD-2-Clause
# pk-decode finds the branches that perf finds in snapshots of CoreSight traces. PK_SNAPSHOTS is the folder
# decoder/tests/snapshots of the source code of libopencsd.
. "$PK_TOP/tests/live/fold.bash"
[ -d "${PK_SNAPSHOTS-}" ] || skip "PK_SNAPSHOTS names no folder of snapshots"
perf version --build-options 2>/dev/null | grep -q 'libopencsd: \[ on' || skip "perf does not decode CoreSight"

# Prints where the branches of perf and of pk-decode differ. If code is missing, perf joins the branch to it with the
# next branch that it finds, or misses its target. perf can miss the last branch of a trace.
compare()
{
	awk 'NR == FNR { perf[NR] = $0; count = NR; next }
		{ own[FNR] = $0; owns = FNR }
		END {
			for (i = j = 1; i <= owns; i++) {
				split(own[i], a); split(own[i + 1], b); split(perf[j], p)
				if (own[i] == perf[j] || (a[1] == p[1] && p[2] == "0")) j++
				else if (a[1] == p[1] && b[1] == "0" && b[2] == p[2]) { i++; j++ }
				else if (a[2] != "0" || j <= count) { print "branch " i ": " own[i] ", perf: " perf[j]; exit }
			}
			if (j <= count) print count - j + 1 " branches are missing"
		}' "$@"
}

for name in juno-uname-002 bugfix-exact-match; do
	python3 "$PK_TOP/tests/live/cs_snapshot.py" "$PK_SNAPSHOTS/$name" >snapshot.txt || fail "$name: cs_snapshot.py: $?"
	"$PK_BUILD/tests/assemble/assemble" <snapshot.txt >snapshot.pk || fail "$name: assemble"
	pk-decode -q -e branches snapshot.pk | pk-script -q -F ip,addr | awk '{ print $2, $1 }' >own
	pk-export perf.data -q -o snapshot.data snapshot.pk || fail "$name: pk-export: $?"
	perf script --itrace=b -F ip,addr -i snapshot.data 2>perf.err | awk '{ sub("=>", ""); print $1, $2 }' >perf
	[ "$(wc -l <perf)" -gt 1000 ] || fail "$name: perf finds $(wc -l <perf) branches: $(head -n 3 perf.err)"
	compare perf own >difference
	[ ! -s difference ] || fail "$name: $(cat difference)"
done
exit 0
