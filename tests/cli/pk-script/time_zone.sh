# SPDX-License-Identifier: BSD-2-Clause
# little-endian: what is printed about streams of the other byte order
# The time of day is the reader's: of its time zone, half hours and daylight saving included.
for TZ in UTC0 IST-5:30 EST5EDT,M3.2.0,M11.1.0 AEST-10AEDT,M10.1.0,M4.1.0/3; do
	export TZ
	echo "$TZ"
	pk-script -q -F tod "$PK_TOP/format/vectors/good/features-le.pk" | head -n 1
	pk-script -q --header-only "$PK_TOP/format/vectors/good/features-le.pk" | grep 'reference time'
done
