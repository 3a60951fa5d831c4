# SPDX-License-Identifier: BSD-2-Clause
# Recordings of three architectures: records of each type, entries of callchains, periods. They are
# those that a reader of another make has counted.
for machine in x86_64 s390x arm64; do
	echo "== $machine"
	pk-script --dump "$PK_TOP/tests/data/$machine.perf.zst" | awk '
		/^[0-9]+ [A-Z_0-9]+ type=/ { n[$2]++; sample = $2 == "SAMPLE" }
		sample && sub("^  nr=", "") { entries += $0 }
		sample && sub("^  period=", "") { periods += $0 }
		END {
			for (type in n) print type, n[type]
			print "entries", entries
			printf "periods %.0f\n", periods
		}' | sort
done
