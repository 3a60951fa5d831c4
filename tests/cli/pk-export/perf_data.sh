# SPDX-License-Identifier: BSD-2-Clause
# little-endian: what is printed about streams of the other byte order
# What of a stream becomes what part of a perf.data file.
. "$PK_TOP/tests/cli/stream.bash"
exec 2>&1

# number AT FILE: the u64 at an offset
number()
{
	od -An -t u8 -j "$1" -N 8 "$2" | tr -d ' '
}

# show FILE: what pk reads from it
show()
{
	pk-script --dump "$1" | sed -E 's/^[0-9]+ //'
}

echo "== two events, the second one late; definitions of pk; features; tracing data; build-ids"
formats=$PK_TOP/tests/data/tracing.x86_64
{
	header
	event 1 7
	session
	echo "TRACING_DATA payload_size=$(wc -c <"$formats") payload=@$formats"
	feature HOSTNAME 'hostname="first"'
	build_id user /bin/prog
	comm 5 5 prog
	name 7 cpu-clock
	sample 7 5 0x1000 10 300
	echo 'HEADER_ATTR attr_type=2 config=310 sample_period=1 id=9'
	echo '  sample_type=(IDENTIFIER IP TID TIME PERIOD) flags=(sample_id_all)'
	sample 9 5 0x2000 1 200
	feature HOSTNAME 'hostname="last"'
	echo FINISHED_ROUND
	echo 'END records=12 samples=2'
} | assemble >stream.pk
pk-export perf.data -o file stream.pk
echo "status $?"
show file | grep -v payload=
echo "$(number 16 file) bytes for an event, $(($(number 32 file) / $(number 16 file))) events, $(number 48 file) bytes of data"
show file >expected
pk-export perf.data -o again file && show again | cmp - expected

echo "== samples that cannot be decoded"
{
	header
	event 1 7
	event 1 8
	session
	sample 7 5 0x1000 10 300
	sample 99 5 0x1000 10 301
	sample 8 5 0x1000 10 302
	echo 'END records=6 samples=3'
} | assemble >bad.pk
pk-export perf.data -o file bad.pk
echo "status $?"
show file | grep -e SAMPLE -e 'time=' -e END -e samples=

echo "== branches, and branches that are callchains"
for type in 8 0x800; do
	{
		header
		echo "HEADER_ATTR attr_type=1 attr_size=128 sample_period=1000 id=7 branch_sample_type=$type"
		echo '  sample_type=(IDENTIFIER IP TID TIME BRANCH_STACK) flags=(sample_id_all)'
		comm 5 5 prog
	} | assemble | pk-export perf.data -o file
	show file | grep -c feature=15
done

echo "== no records but the header's"
{
	header
	event 1 7
} | assemble | pk-export perf.data -o file
echo "status $?, $(number 48 file) bytes of data"
pk-script --dump file >/dev/null

echo "== cut"
head -c -50 stream.pk | pk-export perf.data -o file
echo "status $?"
show file | grep -c SAMPLE

echo "== the index of AUXTRACE"
{
	header
	event 1 7
	comm 5 5 prog
	echo 'AUXTRACE payload_size=16 payload=00112233445566778899aabbccddeeff idx=1'
	comm 5 5 prog
	echo 'AUXTRACE payload_size=8 payload=0011223344556677 idx=2'
} | assemble >trace.pk
pk-export perf.data -o file trace.pk
echo "status $?"
# After the data: the places of AUXTRACE (the only feature with 40 bytes) and of others.
data=$(($(number 40 file) + $(number 48 file)))
for i in 0 1 2; do
	[ "$(number $((data + i * 16 + 8)) file)" = 40 ] || continue
	at=$(number $((data + i * 16)) file)
	echo "$(number "$at" file) entries"
	for entry in 8 24; do
		place=$(number $((at + entry)) file)
		echo "type $(od -An -t u4 -j "$place" -N 4 file | tr -d ' ')," \
			"$(number $((at + entry + 8)) file) bytes, payload of $(number $((place + 8)) file)"
	done
done

echo "== sessions"
for text in one two three; do
	{
		header
		event 1 7
		comm 5 5 $text
		sample 7 5 0x1000 10 300
	} | assemble >$text.pk
done
cat one.pk two.pk >several.pk
pk-export perf.data -o file several.pk
echo "status $?: $(show file | grep comm=)"
for session in 1 2 3 4; do
	pk-export perf.data --session=$session -o file several.pk three.pk
	echo "status $?: $(show file 2>&1 | grep comm=)"
done
pk-export perf.data -o file one.pk two.pk
echo "status $?: $(show file | grep comm=)"
pk-export perf.data -o file missing one.pk
echo "status $?: $(show file | grep comm=)"

echo "== losses of one session only"
{
	header
	event 1 7
	sample 7 5 0x1000 10 300
	lost 5
} | assemble >lost.pk
for session in 1 2; do
	cat lost.pk one.pk | pk-export perf.data --session=$session --fail-on lost -o file
	echo "status $?"
done
