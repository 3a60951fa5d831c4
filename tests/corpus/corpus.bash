# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Sourced by the scripts that fold recordings and compare with what perf on the recording machine
# printed. complain() and the last line, exit $status, make them fail.
set -u
collapse=$PK_TOP/tests/corpus/collapse.pl
status=0

command -v perl >/dev/null || {
	echo "no perl" >&2
	exit 77
}

complain()
{
	echo "$*"
	status=1
}

# perf looks up return addresses unchanged. If the call is the last instruction of its function (it does not return),
# that address is in another function, or in none. pk-symbolize names the caller.
callers()
{
	sed -E 's/;main;\[forker\];(exec_child|\[ld-linux)/;main;spawn;\1/
		s/^(threads;\[unknown\]);__do_global_dtors_aux(;__do_global_dtors_aux )/\1;register_tm_clones\2/
		s/(;_start;__libc_start_main;\[(libc.so.6|unknown)\]);\[(libc.so.6|unknown)\](;_exit|;\[)/\1;exit\4/
		s/(;_start;__libc_start_main;\[(libc.so.6|unknown)\]);\[(libc.so.6|unknown)\] /\1;exit /'
}

# same WHAT: compares the files expected and folded, byte by byte.
same()
{
	[ -s expected ] || complain "$1: nothing is expected"
	if [[ $1 != collapse.pl:* ]]; then
		callers <expected | sum >with_callers
		mv with_callers expected
	fi
	cmp -s expected folded && return
	complain "== $1"
	diff expected folded | cut -c1-250 | head -n 20
}

# Adds up lines whose stacks have become equal.
sum()
{
	awk '{ n = $NF; sub(/ [0-9]+$/, ""); sum[$0] += n } END { for (s in sum) printf "%s %.0f\n", s, sum[s] }' |
		LC_ALL=C sort
}

# In pipe mode, perf prints frames of tracepoints without their object. The objects of unresolved frames cannot be
# compared then.
without_objects()
{
	sed -E 's/;\[[^];]*\]\]?/;[unknown]/g' | sum
}
