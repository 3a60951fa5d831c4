# SPDX-License-Identifier: BSD-2-Clause
# Recordings of x86-64, arm64, 32-bit Arm and big-endian s390x: the share of each instruction is the one that perf
# annotate --stdio 6.1 with the machine's own objdump (binutils 2.40) shows; annotate.shares has them, for each
# recording those above 0.
. "$PK_TOP/tests/corpus/corpus.bash"

# share_of MACHINE NAME SYMFS KALLSYMS
share_of()
{
	local options=(-q --symfs "$3" --kallsyms "$4")
	pk-symbolize "${options[@]}" "$PK_CORPUS/own/$1/data/$2.data" 2>err |
		pk-annotate "${options[@]}" --min-percent 0 >annotated 2>>err || complain "$1 $2: status ${PIPESTATUS[*]}: $(cat err)"
	sed -n "s|^$1/$2 ||p" "$PK_TOP/tests/corpus/annotate.shares" >expected
	perl "$PK_TOP/tests/live/annotate.pl" expected annotated "$(wc -l <expected)" >compared || complain "== $1/$2" "$(cat compared)"
}

xz -dc "$PK_CORPUS/own/x86_64-7.2/kallsyms.boot1.xz" >kallsyms
for name in threads.fp syscalls.fp.pipe locky.pf syscalls.nog syscalls.group; do
	share_of x86_64-7.2 $name "$PK_CORPUS/own/x86_64-7.2/rootfs" kallsyms
done
for machine in s390x-6.1 arm64-7.2 armhf-7.2; do
	own=$PK_CORPUS/own/$machine
	mkdir "$machine"
	xz -dc "$own/symfs.tar.xz" | tar -xf - -C "$machine"
	gzip -dc "$own/kallsyms.gz" >"$machine/kallsyms"
	cp "$own"/vdso/*/vdso "$machine/symfs/vdso64.so"
	for name in 01-file 03-pipe; do
		share_of "$machine" $name "$machine/symfs" "$machine/kallsyms"
	done
done
exit $status
