# SPDX-License-Identifier: BSD-2-Clause
# The language of code: by its object, in a stream with symbols and in one without.
. "$PK_TOP/tests/cli/stream.bash"

{
	header
	event 1 7
	name 7 cycles
	echo 'MMAP misc=(kernel) pid=-1 tid=0 addr=0xffffffff80000000 len=0x10000000 pgoff=0xffffffff80000000 filename="[kernel.kallsyms]_text"'
	comm 5 5 app
	maps 5 0x1000 0x1000 /nowhere/app
	maps 5 0x4000000000000000 0x1000 '[python]'
	maps 5 0x700000000000 0x1000 //anon
	sample 7 5 0x1010
	sample 7 5 0x1020
	sample 7 5 0xffffffff80000010 | sed 's/(user)/(kernel)/'
	for address in 0x4000000000000018 0x4000000000000028 0x4000000000000038; do
		sample 7 5 $address
	done
	sample 7 5 0x700000000010
	sample 7 5 0x700000000020
} | assemble >languages.pk
pk-report -q --by language languages.pk
pk-symbolize -q languages.pk | pk-report -q --by language
pk-symbolize -q languages.pk | pk-filter -q --where 'language == "python"' | pk-report -q --by language,dso
