# SPDX-License-Identifier: BSD-2-Clause
# A user half has an address in a file that is first mapped as data, later as code: its symbol is
# added then.
. "$PK_TOP/tests/cli/stream.bash"
mkdir -p fs/fix
cp "$PK_TOP/tests/data/unwind/fix/syscalls-nofp" fs/fix
# at TIME RECORD...: a record that is not a SAMPLE
at()
{
	"${@:2}"
	echo "  trailer.pid=5 trailer.tid=5 trailer.time=$1"
}
half()
{
	echo 'CALLCHAIN_DEFERRED misc=(user) cookie=1 nr=1 ips[0]=0x5012d0'
}
{
	header
	event_of 7 CALLCHAIN
	at 1 comm 5 5 prog
	at 1 maps_as 1 5 0x501000 0x1000 /fix/syscalls-nofp 0x1000
	at 2 half
	at 3 maps_as 5 5 0x501000 0x1000 /fix/syscalls-nofp 0x1000
	at 4 half
} | assemble >late.pk
pk-inject -q --symfs fs late.pk | pk-script --dump | grep 'symbol.*name'
