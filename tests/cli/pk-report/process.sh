# SPDX-License-Identifier: BSD-2-Clause
# The field process: the name of the first thread at that moment, beside comm, the thread's.
. "$PK_TOP/tests/cli/stream.bash"
{
	header
	event_of 7 ''
	comm 5 5 server
	echo 'COMM pid=5 tid=6 comm="worker"'
	sample_of user 7 6 0x401000
} >text
sed -i 's/pid=6 tid=6/pid=5 tid=6/' text
{
	cat text
	comm 5 5 renamed
	sed -n '$p' text
} | assemble >in.pk
pk-report -q --symfs=/nonexistent --by=process,comm in.pk
pk-symbolize -q --symfs=/nonexistent in.pk | pk-report -q --by=process,comm
pk-script -q --symfs=/nonexistent -F process,comm,tid in.pk
pk-script -q --json -F process in.pk | grep -o '"process":"[a-z]*"'
pk-filter -q --where='process == "renamed"' in.pk | pk-report -q --symfs=/nonexistent --by=comm,process
