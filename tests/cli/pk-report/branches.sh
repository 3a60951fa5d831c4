# SPDX-License-Identifier: BSD-2-Clause
# Fields of branches: a sample counts once for each entry of its branch stack.
. "$PK_TOP/tests/cli/stream.bash"
{
	header
	echo 'HEADER_ATTR attr_type=0 config=0 sample_period=7 id=1'
	echo '  sample_type=(IDENTIFIER IP TID TIME PERIOD BRANCH_STACK) flags=(sample_id_all) branch_sample_type=9 attr_size=80'
	event 1 2
	name 1 cycles
	name 2 cpu-clock
	comm 5 5 app
	maps 5 0x400000 0x10000 /opt/app
	maps 5 0x500000 0x10000 /opt/libx.so
	echo 'SAMPLE misc=(user) id=1 ip=0x401000 pid=5 tid=5 time=10 period=7'
	echo '  branch[0]=0x401010 -> 0x501000 mispred=1 cycles=12'
	echo '  branch[1]=0x401010 -> 0x501000 predicted=1 cycles=30'
	echo '  branch[2]=0x501020 -> 0xffffffff81000000 predicted=1 in_tx=1 abort=1'
	echo 'SAMPLE misc=(user) id=1 ip=0x401000 pid=5 tid=5 time=20 period=7'
	echo '  branch[0]=0x501020 -> 0x401014 predicted=1 cycles=1'
	echo 'SAMPLE misc=(user) id=1 ip=0x401000 pid=5 tid=5 time=30 period=7'
	sample 2 5 0x401000 1000 40
} | assemble >branches.pk
show()
{
	echo "== $*"
	pk-report -q --symfs=/nonexistent "$@" branches.pk 2>&1
	echo "status $?"
}
show --by=branch_from_dso,branch_to_dso -n
show -s symbol_from,symbol_to,mispredict,in_tx,abort,cycles
show --csv --by=mispredict --show='samples,period,sum(branch_cycles),count(branch_cycles)'
show --by=branch_from_addr --where='mispredict == "Y" || in_tx == "T"' -n
show --by=mispredict --weight=branch_cycles --show=share,period
show --by=comm --weight=period --show=samples,period --where='branch_to_dso == "/opt/libx.so"'
show --view branches
echo '== other programs: the newest branch'
pk-script -q --json -F branch_from_addr,mispredict,branch_cycles,branch_to_dso branches.pk | grep SAMPLE
pk-filter -q --where='mispredict == "N"' branches.pk | pk-script -q -F time,brstack
pk-report --symfs=/nonexistent --by=mispredict -o rows branches.pk 2>&1
pk-report -b branches.pk 2>&1
echo "status $?"
# A sample without a stack is reported once.
{
	header
	echo 'HEADER_ATTR attr_type=0 config=0 sample_period=7 id=1 attr_size=80'
	echo '  sample_type=(IDENTIFIER IP TID TIME PERIOD BRANCH_STACK) flags=(sample_id_all) branch_sample_type=9'
	session "1"
	comm 5 5 app
	for time in 1 2; do
		echo "SAMPLE misc=(user) id=1 ip=0x401000 pid=5 tid=5 time=$time period=7 stack=9"
		echo '  branch[0]=0x401010 -> 0x501000 mispred=1'
		echo '  branch[1]=0x401010 -> 0x501000 mispred=1'
	done
	finish
} | assemble >undefined.pk
pk-report --by=branch_from_addr,symbol --where='mispredict == "Y" && (symbol == "x" || period > 1)' -o rows undefined.pk 2>&1
grep -v '^#' rows
