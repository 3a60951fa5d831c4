# SPDX-License-Identifier: BSD-2-Clause
# Stacks that lack frames of an interpreter, according to their chain trailers, are counted. They do not count as truncated.
. "$PK_TOP/tests/cli/stream.bash"
{
	header
	event_of 7 CALLCHAIN
	session "2"
	name 7 cpu-clock
	comm 5 5 python3
	for flags in 0 0x40 0x41; do
		sample_of user 7 5 0x401000 "ips[0]=(user) ips[1]=0x401000 chain_flags=$flags"
	done
	finish
} | assemble >torn.pk
pk-symbolize torn.pk | pk-script --dump | grep -A 3 'LOSS'
pk-report torn.pk >/dev/null
pk-report --fail-on truncated torn.pk >/dev/null 2>&1
echo "--fail-on truncated: status $?"
