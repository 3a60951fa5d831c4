# SPDX-License-Identifier: BSD-2-Clause
# A key whose fields have different sizes and signs on the two sides.
. "$PK_TOP/tests/cli/pk-span/switches.bash"
{
	header
	perl "$PK_TOP/tests/cli/pk-span/presets.pl" formats <<'END'
event a:first int fd, u32 number
event a:second unsigned long fd, s64 number
100 5 0 first -1 4294967295
150 5 0 second 18446744073709551615 -1
200 5 0 first 7 8
260 5 0 second 7 8
END
	finish
} | assemble >types.pk
pk-span --start first --end second --key fd,number types.pk | show
pk-span --start second --end first --key fd,number types.pk | show
exit 0
