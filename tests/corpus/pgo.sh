# SPDX-License-Identifier: BSD-2-Clause
# Recordings of other projects with branches. The unsymbolized profile has the bytes of llvm-profgen, if that leaves out the call stacks.
# perf script prints the same branches and call stacks for perf.data files that pk-export has made of these recordings.
. "$PK_TOP/tests/corpus/corpus.bash"
llvm=$(compgen -G '/usr/lib/llvm-[0-9]*/bin/llvm-profgen' | sort -V | tail -n 1)
version=${llvm#/usr/lib/llvm-}
# Version 14 does not ignore the call stacks of this recording.
[ "${version%%/*}" -ge 16 ] 2>/dev/null && command -v perf >/dev/null || {
	echo "no llvm-profgen of LLVM 16 or later (llvm-19), or no perf" >&2
	exit 77
}
lbr=$PK_CORPUS/lbr/perfparser-vector_static_gcc
program=vector_static_gcc_v9.1.0 # its name in the recording

# llvm-profgen writes a temporary file beside the recording.
cp "$lbr.lbr.data" lbr.data
xz -dc "$lbr.elf.xz" >$program
"$llvm" --ignore-stack-samples --perfdata=lbr.data --binary=$program --output=expected --skip-symbolization 2>log ||
	complain "llvm-profgen: $(cat log)"
pk-export profgen -q --object $program -o ours lbr.data || complain "pk-export profgen"
[ "$(wc -l <expected)" -eq 7 ] && diff expected ours || complain "the profile differs from that of llvm-profgen"

for name in branch-4.14 callgraph_and_branch-3.8; do
	recording=$PK_CORPUS/others/quipper-perf.data.$name
	pk-export perf.data -q -o again.data "$recording" || complain "$name: pk-export perf.data"
	perf script -f --show-mmap-events -F ip,brstack -i "$recording" >expected 2>/dev/null
	perf script -f --show-mmap-events -F ip,brstack -i again.data >printed 2>/dev/null
	grep -q '0x[0-9a-f]*/0x' expected && cmp expected printed || complain "$name: perf script prints other branches"
done
exit $status
