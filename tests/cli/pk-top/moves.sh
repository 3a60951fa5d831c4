# SPDX-License-Identifier: BSD-2-Clause
# long
# The other keys that move in the table, the screen of 80 columns and 24 lines, prompts that are cancelled, and sizes that
# change on other pages.
. "$PK_TOP/tests/cli/pk-top/screen.bash"
symbolized | assemble >all.pk
start 'pk-top -g graph,0,caller -e cpu-clock all.pk'
shot 'has ended'
size=70x12
start 'pk-top -g graph,0,caller -e cpu-clock all.pk'
await 'has ended'
shot 'has ended' Down Down Up
shot '^- ' Enter
shot '^\+ .*libm.so.6  *.\.. f$' Enter
shot '^- ' Right
shot '^- ' Down Down
shot '^- ' Escape
shot '^\+ .*libm.so.6  *.\.. f$' Escape
# Without a visible change.
keys C-l y Escape Left BTab
shot 'has ended' Space
shot 'has ended' PPage
echo "==== rows without trees"
start 'pk-top -g none --by comm,symbol --no-children -e cpu-clock all.pk'
await 'has ended'
shot '^comm: prog$' Right
shot '^comm: prog  symbol: f$' Right
shot '^comm: prog$' Escape
press '^comm: prog  /g$' F g Enter
shot '^/g$' Left
shot '\[\.\] f$' Left
echo "==== cancelled"
press 'Rows with: x$' F x
press 'has ended' Escape
shot 'Group by: comm$' b comm
shot 'has ended' C-c
shot 'Rows with: é$' F é 字 BSpace
press 'aaaaaaaaaaaaaaa$' C-u "$(printf 'a%.0s' {1..300})"
press '^/aaaaaaaa' Enter
screen | grep -c .
echo "==== sizes"
press 'any key: back' Escape h
in_terminal resize-window -x 40 -y 6
await '^any key: back'
shot 'Ta$'
press 'Print to: pk-top.1.txt$' x P
in_terminal resize-window -x 60 -y 8
await '4,20$'
shot 'Print to: pk-top.1.txt$'
press 'has ended' Escape
keys q
ended
