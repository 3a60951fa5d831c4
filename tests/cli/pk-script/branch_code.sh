# SPDX-License-Identifier: BSD-2-Clause
# The code between branches, of branches that were found by single steps (tests/data/branches/step.c). The lines are
# those of perf 7.2; tests/live/branch_perf.sh compares all of them.
. "$PK_TOP/tests/cli/stream.bash"
data=$PK_TOP/tests/data/branches
assemble <"$data/branches.txt" >branches.pk
# show LINES OPTION...: the first lines of the output
show()
{
	local lines=$1

	shift
	echo "== $*"
	pk-script --no-inline --symfs "$data" "$@" branches.pk 2>&1 | head -n "$lines"
}
show 40 -F comm,time,ip,sym,brstackinsn
show 12 -F comm,time,ip,sym,brstackinsn,brstackinsnlen
show 12 -F comm,time,ip,sym,brstackdisasm
show 4 -F ip,insn,insnlen,disasm
show 2 -F time,brstackoff
echo '== each block ends with its branch'
pk-script -q --no-inline --symfs "$data" -F time,brstackinsn branches.pk >text
grep -c '# ' text
grep -c -e mismatch -e 'not reaching' text
grep -c '^  branch' "$data/branches.txt"
echo '== code that is not there'
show 3 --symfs /nonexistent -F ip,insnlen,brstackinsn
echo '== not all branches were recorded; branches that are in the middle of instructions'
sed 's/branch_sample_type=0x10009/branch_sample_type=0x10801/' "$data/branches.txt" | assemble >branches.pk
show 3 -F ip,brstackinsn
sed 's/=0x401046/=0x401047/' "$data/branches.txt" | assemble >branches.pk
pk-script -q --no-inline --symfs "$data" -F time,brstackinsn branches.pk >text
grep -c mismatch text
