# SPDX-License-Identifier: BSD-2-Clause
# No name is a formula in a spreadsheet: a text that starts with = + - @ gets an apostrophe in CSV. Other formats have the name itself.
. "$PK_TOP/tests/cli/stream.bash"

{
	header
	event 1 7
	name 7 -cycles
	comm 5 5 =1+1
	comm 6 6 +2
	comm 8 8 -3
	comm 9 9 @SUM
	comm 10 10 'a=1'
	for tid in 5 6 8 9 10; do sample 7 $tid 0x1000; done
} | assemble >names.pk
pk-report --csv --by comm --show samples names.pk
echo '-- rows'
pk-export rows -q --format csv --by comm --frames function names.pk
pk-export rows -q --format tsv --by comm --frames function names.pk | cut -f 1
