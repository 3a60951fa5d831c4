# SPDX-License-Identifier: BSD-2-Clause
# Counters start at 0 again in each session: the second one's first value is a weight of its own.
. "$PK_TOP/tests/cli/stream.bash"
one_session()
{ # two values of one counter
	header
	echo 'HEADER_ATTR sample_period=1000 sample_type=(IDENTIFIER IP TID READ) read_format=(ID) id=7'
	comm 5 5 prog
	echo "SAMPLE misc=(user) ip=0x1000 pid=5 tid=5 read.value=$1 read.id=7"
	echo "SAMPLE misc=(user) ip=0x2000 pid=5 tid=5 read.value=$2 read.id=7"
}
{
	one_session 100 130
	one_session 150 151
} | assemble >sessions.pk
pk-fold --addresses -q sessions.pk
