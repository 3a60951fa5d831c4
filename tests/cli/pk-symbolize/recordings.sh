# SPDX-License-Identifier: BSD-2-Clause
# Recordings of three architectures where nothing of the machines is at hand, neither programs nor
# symbols: what is left are the objects.
mkdir empty
: >kallsyms
for machine in x86_64 s390x arm64; do
	echo "== $machine"
	pk-symbolize --symfs empty --kallsyms kallsyms "$PK_TOP/tests/data/$machine.perf.zst" | pk-fold
done
