# SPDX-License-Identifier: BSD-2-Clause
# The field address: samples without a function have a row for each address, and samples with a function have no address.
. "$PK_TOP/tests/cli/pk-annotate/list.bash"
{
	begin
	for address in 0x110 0x113 0x800 0x800 0x800 0x900; do
		at $address
	done
} | assemble | pk-symbolize -q --symfs=root >list.pk
pk-report -q --by dso,symbol,address list.pk
