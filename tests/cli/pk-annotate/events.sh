# SPDX-License-Identifier: BSD-2-Clause
# Several events, apart and side by side; samples or periods; several inputs and sessions.
. "$PK_TOP/tests/cli/pk-annotate/list.bash"
{
	header
	event 1 7
	event 1 8 2
	name 7 cycles
	name 8 faults
	comm 5 5 list
	maps 5 0x400000 0x1000 /src/list
	at 0x110 300
	at 0x113 100
	at 0x113 1 8
	at 0x158 3 8
} | assemble | pk-symbolize -q --symfs=root >two.pk
try -i two.pk --context=0
try -i two.pk --group --context=0
try -i two.pk --group --context=0 --weight=samples --percent-of=all
try -i two.pk --event='f*' --context=0
try -i two.pk --group --json add | sed 's/"bytes".*//'
some_heat | assemble | pk-symbolize -q --symfs=root >list.pk
try -i two.pk -i list.pk --context=0
cat two.pk list.pk | try --context=0 --weight=samples
