# SPDX-License-Identifier: BSD-2-Clause
# Names and maps count from when they were given, whatever the order in the stream; a session keeps its
# byte order also where its samples had to wait until the next began.
. "$PK_TOP/tests/cli/stream.bash"
{
	header
	event 1 7
	comm 5 5 early
	sample 7 5 0x1000 1000 30
	sample 7 5 0x1000 1000 10
	echo 'COMM pid=5 tid=5 comm="late" trailer.pid=5 trailer.tid=5 trailer.time=20'
} | assemble >order.pk
pk-symbolize -q --kallsyms=/dev/null order.pk | pk-fold -q
{
	header
	event 1 7
	sample 7 5 0x1000 1000 30
} | assemble | cat - "$PK_TOP/format/vectors/good/sample-plain-be.pk" |
	pk-symbolize -q --kallsyms=/dev/null | pk-script --dump | grep '^  byte_order'
