# SPDX-License-Identifier: BSD-2-Clause
# Counters start at 0 again in each session: the second one's first value is a weight of its own.
. "$PK_TOP/tests/cli/stream.bash"
one_session()
{ # sample_type IDENTIFIER IP TID READ, read_format ID; two values of one counter
	header
	nums 4488888888 0 64 0 1000 $((0x10013)) 4 0 0 0 7 | record 64 0
	comm 5 5 prog
	nums 884488 7 0x1000 5 5 "$1" 7 | record 9 2
	nums 884488 7 0x2000 5 5 "$2" 7 | record 9 2
}
{
	one_session 100 130
	one_session 150 151
} >sessions.pk
pk-fold -q sessions.pk
