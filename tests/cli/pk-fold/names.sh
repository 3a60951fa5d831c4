# SPDX-License-Identifier: BSD-2-Clause
# What parts frames, or would command a terminal, does not come out of the names of threads and files.
. "$PK_TOP/tests/cli/stream.bash"
{
	header
	event 1 7
	comm 1 1 'a;b'
	comm 2 2 'Web Content'
	comm 3 3 'esc\e[31m\nline\x7f'
	comm 4 4 'caf\xc3\xa9 \xc2\x9b'
	comm 5 5 'worker 7 a'
	comm 6 6 x
	comm 7 7 "java's"
	for pid in 1 2 3 4 5 6 7 8 4294967295 0; do
		sample 7 $pid 0x1000
	done
	maps 9 0x1000 0x1000 '/tmp/odd;\e[2Jname (deleted)'
	maps 10 0x1000 0x1000 '//anon'
	maps 11 0x1000 0x1000 '[vdso]'
	for pid in 9 10 11; do
		sample 7 $pid 0x1010
	done
} | assemble >names.pk
pk-fold --addresses -q names.pk >out
cat -v out
LC_ALL=C sort -c out || echo "not sorted"
# and symbols
pk-fold -q "$PK_TOP/format/vectors/good/pk-definitions-le.pk" | cat -v
