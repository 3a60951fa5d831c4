# SPDX-License-Identifier: BSD-2-Clause
# Recordings of other machines, without their symbols at hand: neither the kernel nor the vDSO of this
# machine is taken for theirs, also where no build-id tells them apart.
. "$PK_TOP/tests/corpus/corpus.bash"
for name in s390x-6.1/data/03-pipe s390x-7.2/data/03-pipe arm64-7.2/data/03-pipe armhf-7.2/data/03-pipe \
	x86_64-7.2/data/forker.fp.a.pipe; do
	pk-symbolize -q "$PK_CORPUS/own/$name.data" 2>err | pk-fold -q >folded
	[ -s folded ] || complain "$name: nothing: $(cat err)"
	found=$(sed 's/ [0-9]*$//' folded | cut -d ';' -f 2- -s | tr ';' '\n' | grep -v '^\[' | sort -u | head -n 5)
	[ -z "$found" ] || complain "$name: $found"
done
exit $status
