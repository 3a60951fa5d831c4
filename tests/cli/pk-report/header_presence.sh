# SPDX-License-Identifier: BSD-2-Clause
# The header names samples with branch stacks, as perf does: those of -b, not those of --call-graph lbr.
. "$PK_TOP/tests/cli/stream.bash"
for type in 9 0xc801; do
	{
		header
		event_of 7 'CALLCHAIN BRANCH_STACK' attr_size=80 branch_sample_type=$type
		comm 5 5 prog
	} | assemble >in.pk
	echo "== $type"
	for program in pk-report pk-script; do
		$program --header-only in.pk | grep -oE '^# contains.*|BRANCH_STACK PMU'
	done
done
