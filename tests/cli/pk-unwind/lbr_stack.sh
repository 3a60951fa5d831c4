# SPDX-License-Identifier: BSD-2-Clause
# Samples with the processor's call stack and a stack dump. --keep keeps both. If the sample does not fit into a record
# then, its callchain is cut.
. "$PK_TOP/tests/cli/stream.bash"
large()
{ # BRANCHES SAMPLES
	header
	event_of 7 'CALLCHAIN BRANCH_STACK STACK_USER' attr_size=96 branch_sample_type=0xc801 sample_stack_user=65528
	comm 5 5 prog
	maps_as 5 5 0x501000 0x1000 /fix/syscalls-nofp 0x1000
	for ((n = 0; n < $2; n++)); do
		sample_of user 7 5 0x5012d8 'ips[0]=(user) ips[1]=0x5012e0'
		for ((i = 0; i < $1; i++)); do
			echo "  branch[$i]=0x501350 -> 0x5012d0"
		done
		echo '  user_stack=@stack'
	done
}
head -c 20000 /dev/zero >stack
for branches in 4 1500; do
	echo "== $branches branches"
	large $branches 40 | assemble >large.pk
	pk-unwind --keep -o kept.pk large.pk 2>&1
	echo "status $?"
	pk-script --dump kept.pk >dump
	grep -oE '^  nr=.*|^  trailer\.chain.*| SAMPLE .*|user_stack=[0-9]*' dump | sort | uniq -c
	grep -cE '^ *branch\[' dump
done
