# SPDX-License-Identifier: BSD-2-Clause
# A file is first mapped as data, which has no symbols, then the same part as code. Addresses of both
# times are the same.
. "$PK_TOP/tests/cli/stream.bash"
mkdir -p fs/fix
cp "$PK_TOP/tests/data/unwind/fix/syscalls-nofp" fs/fix
# at TIME RECORD...: a record that is not a SAMPLE
at()
{
	"${@:2}"
	echo "  trailer.pid=5 trailer.tid=5 trailer.time=$1"
}
{
	header
	event_of 7 PERIOD
	at 1 comm 5 5 prog
	at 1 maps_as 1 5 0x501000 0x1000 /fix/syscalls-nofp 0x1000
	sample 7 5 0x5012d0 10 2
	at 3 maps_as 5 5 0x501000 0x1000 /fix/syscalls-nofp 0x1000
	sample 7 5 0x5012d0 100 4
	sample 7 5 0x5012d4 1000 5
} | assemble >late.pk
pk-symbolize -q --symfs fs late.pk | pk-fold -q
pk-script -q --symfs fs -F ip,sym late.pk
