# SPDX-License-Identifier: BSD-2-Clause
# Objects whose functions have no names are reported by cause, those with the most samples first. A sample counts for its innermost
# frame without a name. What pk-symbolize has reported, later programs do not repeat.
. "$PK_TOP/tests/cli/stream.bash"
mkdir -p fs/bin
strip -o fs/bin/stripped "$PK_BUILD/tests/assemble/assemble"
head=$(
	header
	event_of 7 CALLCHAIN
	comm 5 5 prog
	maps_as 5 5 0x400000 0x100000 /bin/stripped
	for i in 1 2 3 4 5; do
		maps_as 5 5 0x${i}000000 0x1000 "/lib/absent$i.so"
	done
)
# stack COUNT ADDRESS...: samples with this callchain in user space
stack()
{
	local i=1 ips='ips[0]=(user)' ip count=$1
	shift
	for ip; do
		ips+=" ips[$i]=$ip"
		i=$((i + 1))
	done
	while [ $((count--)) -gt 0 ]; do
		sample_of user 7 5 "$1" "$ips"
	done
}
say()
{
	echo "== $1"
	{
		echo "$head"
		cat
	} | assemble >nameless.pk
	# Whether the stripped file has frame pointers depends on the options of the compiler.
	{
		pk-symbolize --symfs fs --kallsyms=/dev/null -o symbolized.pk nameless.pk
		pk-report --symfs fs --kallsyms=/dev/null nameless.pk >/dev/null
		pk-fold symbolized.pk >/dev/null
	} 2>&1 | sed 's/, [0-9.]*% of stacks end.*//; /no frame pointers/d'
}
{ stack 1 0x1000010; stack 3 0x3000010 0x1000010; stack 2 0x2000010 0x1000010; } | say "three files that are not here"
{ stack 2 0x5000010; for i in 1 2 3 4; do stack 1 0x${i}000010 0x400010; done; } | say "five files that are not here"
{ stack 1 0x400010; stack 2 0x1000010; } | say "a file without symbols, and one that is not here"
{ stack 1 0x400010; stack 20 0x9000010; } | say "less than 5 percent"
stack 2 0x9000010 | say "no file"
