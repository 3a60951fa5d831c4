# SPDX-License-Identifier: BSD-2-Clause
# Data types of accesses; samples by type and member, several events, cache lines; what has none.
. "$PK_TOP/tests/cli/pk-annotate/list.bash"

# Two events, and a sample where no function is known.
two_events()
{
	header
	event 1 7
	event 2 8
	name 7 cycles
	name 8 misses
	comm 5 5 list
	maps 5 0x400000 0x1000 /src/list
	for address in 0x110 0x113 0x113 0x113 0x116 0x119 0x12f 0x153; do
		at $address
	done
	at 0x113 10 8
	at 0x110 30 8
	at 0x900
}
two_events | assemble | pk-symbolize -q --symfs=root >two.pk
try -i two.pk --types add
try -i two.pk --types -e misses --json add
try -i two.pk --type-profile
try -i two.pk --type-profile --group --cache-line=8 --weight=samples
try -i two.pk --type-profile --json -e cycles
try -i two.pk --type-profile --hottest=1 -e cycles add
try -i two.pk --type-profile nowhere
