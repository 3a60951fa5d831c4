# SPDX-License-Identifier: BSD-2-Clause
# --list: build-ids and objects of a recording in the lines of perf buildid-list; of samples, and with --all of all maps and of
# the header's table.
. "$PK_TOP/tests/cli/stream.bash"

# build_id MISC PATH
build_id()
{
	{
		nums 4888 -1 0x1111111111111111 0x2222222222222222 0x33333333
		text "$2"
		num 4 0
	} | record 67 "$1"
}

{
	header
	event 1 7
	maps 5 0x400000 0x1000 /usr/bin/prog
	maps 5 0x500000 0x1000 /usr/lib/lib.so
	maps 5 0x600000 0x1000 '/tmp/a\033[31mb'
	maps 5 0x700000 0x1000 /usr/lib/unused.so
	maps 5 0x800000 0x1000 '[vdso]'
	maps 5 0x900000 0x1000 //anon
	build_id 2 /usr/bin/prog
	build_id 1 /usr/lib/lib.so
	build_id 1 /usr/lib/elsewhere.so
	for address in 0x400010 0x400020 0x500010 0x600010 0x800010 0x900010 0x1000; do
		sample 7 5 $address
	done
} >in.pk
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
	{ nums 888888 1 4 0xfffffffffffffe00 0x500010 0x400010 0x1; nums 4488 5 5 0 7; } | record 22 2
} >deferred.pk
pk-archive --list deferred.pk
{ pk-archive deferred.pk >/dev/null; } 2>&1
