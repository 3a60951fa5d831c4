# SPDX-License-Identifier: BSD-2-Clause
# What is not as it should be is counted, and said: samples within an instruction, outside of code, of no function, of
# functions whose code is not there.
. "$PK_TOP/tests/cli/pk-annotate/list.bash"
{
	begin
	maps 5 0x500000 0x1000 /src/gone
	at 0x110
	at 0x111 # within the instruction at 0x110
	at 0x800 # in no function
	at 0x100500
	at 0x200000 # in no map
} | assemble >odd.pk
pk-symbolize -q --symfs=root odd.pk | try
# another program of the same name
some_heat | assemble | pk-symbolize -q --symfs=root >list.pk
head -c 200 root/src/list >short
mv short root/src/list
try -i list.pk
rm root/src/list
try -i list.pk
try -q -i list.pk add
# neither symbolized nor there
try <odd.pk
try -i missing
try -i list.pk nosuch
try -i list.pk --context=0 add nosuch list.pk 'gone:*'
try -i list.pk --by-line list.pk
try -i list.pk -e nosuch
try -q -i list.pk -o /dev/full
some_heat | assemble | head -c 500 | pk-symbolize -q --symfs=root >cut.pk 2>err
cat err
try -q -i cut.pk
