# SPDX-License-Identifier: BSD-2-Clause
# Each key of the table.
. "$PK_TOP/tests/cli/pk-top/screen.bash"
symbolized | assemble >all.pk
size=76x16
start 'pk-top -g none all.pk'
shot 'has ended'
shot 'has ended' Down Down
shot 'has ended' End
shot 'has ended' Home
# The screen has 12 rows, so a page is more than all rows of this event.
shot 'has ended' NPage
shot 'has ended' PPage
shot 'cycles' Tab
shot 'cpu-clock' BTab
echo "==== zooms"
shot 'dso: ' Down d
press 'my_fs' d
shot 'symbol: ' s
press 'my_fs' s
shot 'comm: ' t
press '\[1/2\]' t
shot 'comm: prog  dso: ' Enter Enter
shot '^comm: prog$' Left
press '^$' Left
shot 'Rows with:' F
shot '/WORK$' W O R K Enter
keys F
press 'my_fs' C-u Enter
echo "==== help"
shot 'any key' '?'
shot 'has ended' x
shot 'any key' h
press 'has ended' x
shot 'any key' F1
press 'has ended' x
echo "==== other fields"
shot 'Group by:' b
shot '57.05% .* cpu-clock' 'cpu,event' Enter
# A field that no event has: one group.
shot 'called perod' b pe x BSpace rod Enter
shot '11.90% .* inlined' b 'symbol' Enter
shot 'after the colon' b 'time:never' Enter
echo "==== quit"
keys q
ended
