# SPDX-License-Identifier: BSD-2-Clause
# A symbol without a size is malformed; --dump prints those after it, too.
. "$PK_TOP/tests/cli/stream.bash"
{
	header
	event 1 7
	session
	echo 'IMAGE id=1 kind=1 path="/x"'
	echo 'SYMBOLS image=1 count=2 symbol[0].start=0x1000 symbol[0].length=4 symbol[0].name="none"'
	echo '  symbol[1].start=0x2000 symbol[1].size=16 symbol[1].length=4 symbol[1].name="some"'
	finish
} | assemble >symbols.pk
pk-script --dump symbols.pk | grep 'symbol\[\|malformed'
