# SPDX-License-Identifier: BSD-2-Clause
# Trees without -g, search, the order of rows, long names, the mouse, and Ctrl-D.
. "$PK_TOP/tests/cli/pk-top/screen.bash"
{
	symbolized | sed '/^STRING id=3 /s/.*/STRING id=3 length=82 text="std::vector<std::pair<int, unsigned long>>::a_function_with_a_long_name_and_an_end"/'
} | assemble >all.pk
size=70x12
start 'pk-top -e cpu-clock all.pk'
await 'has ended'
echo "==== trees without -g"
shot '^- ' +
shot '^\+ .*main$' +
echo "==== search"
shot 'Search: INL$' / INL
press '^the input has ended' Enter
shot 'has ended'
shot 'not found' / nothing Enter
press 'has ended' / . Enter
shot 'has ended' n
shot 'has ended' N
press '^- .*main$' Home Enter
shot 'has ended' / a_function Enter
echo "==== long names"
shot 'has ended' ']' ']'
shot 'an_end$' S-Right S-Right S-Right S-Right S-Right
shot 'has ended' '['
press '^. .*vector<' S-Left S-Left S-Left S-Left S-Left S-Left S-Left
press '^\+ .*main$' C
echo "==== order"
shot 'sorted by Self, largest first' '>'
shot 'sorted by Self, smallest first' r
press 'sorted by Command, smallest first' '>'
press 'sorted by Shared Object, smallest first' '>'
shot 'sorted by Symbol, smallest first' '>'
press 'sorted by Symbol, largest first' r
press 'sorted by Shared Object' '<'
press 'sorted by Command' '<'
press 'sorted by Self' '<'
press 'sorted by Children, largest first' '<'
echo "==== mouse"
# In the encoding of xterm: the button, the column and the row, each plus 32; columns and rows are numbered from 1. Button 3
# means that the button was released.
mouse()
{ # BUTTON COLUMN ROW
	local button
	for button in "$1" 3; do
		keys -H 1b 5b 4d "$(printf %x $((32 + button)))" "$(printf %x $((32 + $2)))" "$(printf %x $((32 + $3)))"
	done
}
press 'has ended' Home
mouse 0 5 6
shot 'has ended'
mouse 0 5 6
await '^- '
shot '^- '
mouse 65 5 6
shot '^- '
mouse 64 5 6
await '^- '
shot '^- '
mouse 0 16 3
await 'sorted by Self, largest first'
mouse 0 16 3
await 'sorted by Self, smallest first'
keys q
ended
echo "==== no more keys"
start 'pk-top -e cpu-clock all.pk'
await 'has ended'
keys C-d
ended
mkfifo input
start 'pk-top <input'
exec 3>input
cat all.pk >&3
await 'Samples: [1-9]'
press 'ends when the input has ended' C-d
exec 3>&-
ended
rm input
