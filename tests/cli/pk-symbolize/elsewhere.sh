# SPDX-License-Identifier: BSD-2-Clause
# Recordings of other machines: neither the kernel nor the vDSO nor the libraries of this one are taken
# for theirs. What is left without brackets are the names of threads.
libc=$(readelf -n /usr/lib/x86_64-linux-gnu/libc.so.6 2>/dev/null | sed -n 's/.*Build ID: //p')
if [ -n "$libc" ] && pk-script -q --dump "$PK_TOP/tests/data/x86_64.perf.zst" | grep -q ":$libc$"; then
	echo "this machine has the C library of a recording, so its names are right" >&2
	exit 77
fi
for machine in x86_64 s390x arm64; do
	echo "== $machine"
	pk-symbolize -q "$PK_TOP/tests/data/$machine.perf.zst" 2>/dev/null | pk-fold -q |
		sed 's/ [0-9]*$//' | tr ';' '\n' | grep -v '^\[' | sort -u
done
