# SPDX-License-Identifier: BSD-2-Clause
# A file that is mapped as data only is no object: it is neither read nor complained of. A file that has code
# has names for its data as well.
. "$PK_TOP/tests/cli/stream.bash"
mkdir -p fs/etc fs/fix
echo 'no symbols' >fs/etc/cache
cp "$PK_TOP/tests/data/unwind/fix/syscalls-nofp" fs/fix
{
	header
	event_of 7 ADDR config=2
	name 7 page-faults
	comm 5 5 prog
	maps_as 1 5 0x400000 0x1000 /etc/cache
	maps_as 5 5 0x501000 0x1000 /fix/syscalls-nofp 0x1000
	maps_as 1 5 0x502000 0x2000 /fix/syscalls-nofp 0x2000
	maps_as 3 5 0x504000 0x1000 /fix/syscalls-nofp 0x3000
	maps_as 3 5 0x7fff0000 0x2000 '[stack]'
	for addr in 0x400010 0x501150 0x504050 0x7fff0010; do
		sample_of user 7 5 0x5012d0 addr=$addr
	done
	sample_of user 7 5 0x400020
} | assemble >data.pk
try()
{
	echo "$ $*"
	"$@" 2>&1
	echo "status $?"
}
try pk-script --symfs fs -F ip,sym,addr,dso data.pk
pk-script -v --symfs fs -F ip,sym,addr data.pk 2>&1 | grep -F fs/
pk-symbolize --symfs fs data.pk 2>err | pk-fold
cat err
