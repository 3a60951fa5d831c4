# SPDX-License-Identifier: BSD-2-Clause
# Symbolized recordings of three architectures, as perf has them on the machines that recorded them.
for machine in x86_64 s390x arm64; do
	echo "== $machine"
	pk-fold "$PK_TOP/tests/data/$machine.pk.zst"
done
