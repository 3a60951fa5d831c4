# SPDX-License-Identifier: BSD-2-Clause
# little-endian: what is printed about streams of the other byte order
# Events with their ids at different positions. A sample belongs to the first event if that event's id is 0. If another
# number is 0, here the address, the event is unknown.
. "$PK_TOP/tests/cli/stream.bash"
{
	header
	event 1 7
	echo 'HEADER_ATTR attr_type=1 sample_period=1 id=8 sample_type=(IP ID) flags=(sample_id_all)'
	session
	comm 5 5 prog
	sample 7 5 0x1000
	echo 'SAMPLE event=0 misc=(user) id=0 ip=0x2000 pid=5 tid=5 period=1000'
	echo 'SAMPLE event=0 misc=(user) id=99 ip=0 pid=5 tid=5 period=1000'
	echo 'SAMPLE event=0 misc=(user) id=99 ip=0x3000 pid=5 tid=5 period=1000'
	finish
} | assemble >unknown.pk
pk-script -F comm,ip unknown.pk 2>&1
