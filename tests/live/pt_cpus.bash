# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Sourced by tests of Intel PT traces of CPUs: two processes with four threads run on two CPUs, are interrupted and
# switch, handle signals, and execute other programs at the same addresses.
. "$PK_TOP/tests/live/fold.bash"
[ "$(uname -m)" = x86_64 ] || skip "not an x86-64 machine"

# branches FILE: CPU, thread, source and target of the decoded branches, CPU by CPU.
branches() { pk-decode -q -e branches "$1" | pk-script -q -F tid,cpu,ip,addr | awk '{ gsub(/[][]/, "", $2); print $2 + 0, $1, $4, $3 }' | sort -snk1,1; }

# trace BRANCHES COMPRESS GAP CPUS TIMING [PARTS]: writes the trace to trace.pk, and the branches to truth.
trace()
{
	"$PK_BUILD/tests/live/pt_stepper" "$1" "$2" "$3" all "${@:4}" | "$PK_BUILD/tests/assemble/assemble" >trace.pk || fail "cannot write a trace"
	sort -snk1,1 all >truth
	pk-decode -q trace.pk >/dev/null 2>err || skip "no libipt: $(tail -n 1 err)"
}

# check TEXT: the decoded branches are those of the program.
check()
{
	[ "$(cut -d ' ' -f 2 truth | sort -u | wc -l)" = 4 ] || fail "not four threads"
	branches trace.pk | diff truth - >difference || fail "$1: $(grep -c '^[<>]' difference) of $(wc -l <truth) branches differ: $(head -n 8 difference)"
}

# check_gaps TEXT: no branch is wrong, but some are missing.
check_gaps()
{
	branches trace.pk >decoded
	cmp -s truth decoded && fail "$1: nothing is missing"
	# Not diff, which also reports lines that both have if many lines are missing.
	awk 'NR == FNR { truth[++count] = $0; next }
		{ while (++at <= count && truth[at] != $0); if (at > count) { print FNR ": " $0; exit 1 } }' truth decoded >wrong ||
		fail "$1: wrong branch in line $(cat wrong)"
}
