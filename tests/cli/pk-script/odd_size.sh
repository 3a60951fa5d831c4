# SPDX-License-Identifier: BSD-2-Clause
# A size that is not a multiple of 8 is reported once, also that of a COMPRESSED2; not that of a COMPRESSED.
. "$PK_TOP/tests/cli/stream.bash"
for type in '\x53' '\x51' '\x3e'; do
	{
		header
		event 1 7
	} | assemble >odd.pk
	for i in 1 2; do
		# shellcheck disable=SC2059 # escapes on purpose
		printf "$type\0\0\0\0\0\x11\0\0\0\0\0\0\0\0\0\0"
	done >>odd.pk
	pk-script -q --stats odd.pk 2>&1 | grep multiple
done
