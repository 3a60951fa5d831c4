# SPDX-License-Identifier: BSD-2-Clause
# --list: build-ids and objects of a recording in the lines of perf buildid-list; of samples, and with --all of all maps and of
# the header's table.
. "$PK_TOP/tests/cli/stream.bash"

{
	header
	event 1 7
	maps 5 0x400000 0x1000 /usr/bin/prog
	maps 5 0x500000 0x1000 /usr/lib/lib.so
	maps 5 0x600000 0x1000 '/tmp/a\e[31mb'
	maps 5 0x700000 0x1000 /usr/lib/unused.so
	maps 5 0x800000 0x1000 '[vdso]'
	maps 5 0x900000 0x1000 //anon
	build_id user /usr/bin/prog
	build_id kernel /usr/lib/lib.so
	build_id kernel /usr/lib/elsewhere.so
	for address in 0x400010 0x400020 0x500010 0x600010 0x800010 0x900010 0x1000; do
		sample 7 5 $address
	done
} | assemble >in.pk
for options in '' -H --all; do
	echo "$ pk-archive --list $options"
	# shellcheck disable=SC2086 # no option is no word
	pk-archive --list $options in.pk in.pk
done
cat in.pk | pk-archive --list -o out
cmp out <(pk-archive --list -H in.pk)
pk-archive --list -o in.pk in.pk
echo "status $?"
pk-archive --list --all -H in.pk
echo "status $?"
pk-archive --list --install in.pk
echo "status $?"
pk-archive -H in.pk
echo "status $?"
pk-archive --list in.pk >/dev/full
echo "status $?"
# Deferred callchains that are apart from their samples.
{
	header
	event 1 7
	maps 5 0x400000 0x1000 /usr/bin/prog
	maps 5 0x500000 0x1000 /usr/lib/lib.so
	sample 7 5 0xffffffff81000010
	echo 'CALLCHAIN_DEFERRED misc=(user) cookie=1 ips[0]=0xfffffffffffffe00 ips[1]=0x500010 ips[2]=0x400010 ips[3]=1'
	echo '  trailer.pid=5 trailer.tid=5'
} | assemble >deferred.pk
pk-archive --list deferred.pk
{ pk-archive deferred.pk >/dev/null; } 2>&1
