# SPDX-License-Identifier: BSD-2-Clause
# little-endian: what is printed about streams of the other byte order
# With -v, each unknown type of records is reported once.
. "$PK_TOP/tests/cli/stream.bash"
{
	header
	event 1 7
	for type in 40 99 40 99; do
		echo "UNKNOWN type=$type unknown={8:0}"
	done
} | assemble >unknown.pk
{ pk-filter -v unknown.pk >same.pk; } 2>&1
{ pk-filter -v --where 'pid == 5' unknown.pk >same.pk; } 2>&1
pk-filter unknown.pk >same.pk
