# SPDX-License-Identifier: BSD-2-Clause
# Many events, and samples of each with the last of many stacks: the memory is not their product.
. "$PK_TOP/tests/cli/pk-report/symbolized.bash"
. "$PK_TOP/tests/cli/cost.bash"
exec 2>&1
{
	header
	for id in {1..2000}; do event 1 $id; done
	session "1"
	strings deep
	frame 1 1 2
	stack 1 0 1
	for ((id = 2; id < 105000; id += 5001)); do
		awk -v id=$id 'BEGIN {
			printf "STACK id=%d parent=%d frame=1", id, id - 1
			for (i = 0; i < 5000; i++)
				printf " inner[%d]=1", i
			print ""
		}'
	done
	for event in {1..2000}; do
		echo "SAMPLE misc=(user) id=$event ip=0x1000 pid=5 tid=5 period=1 stack=$((id - 1))"
	done
	finish
} | assemble >many.pk
bounded 10 400 pk-report -q --no-children --by=symbol many.pk | sort | uniq -c
