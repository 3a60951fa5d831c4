# SPDX-License-Identifier: BSD-2-Clause
# long
# The key a: pk-annotate's output, with its hot lines; source lines; a pipe; no code.
. "$PK_TOP/tests/cli/pk-top/screen.bash"
. "$PK_TOP/tests/cli/pk-annotate/list.bash"
some_heat | assemble | pk-symbolize -q --symfs=root >list.pk
size=70x16
start 'pk-top --symfs=root list.pk'
shot 'has ended'
# The function sum is inlined into add.
press 'Tab: next' a
press 'Percent . add ' Home
press 'not found' / nothing Enter
shot 'Tab: next' / loop Enter
press 'has ended' q
shot 'Tab: next' Down Down a
shot 'Tab: next' Tab
shot 'Tab: next' Tab
shot 'Tab: next' BTab
shot 'Tab: next' Home
shot 'Tab: next' NPage
shot 'Tab: next' End
shot 'Tab: next' Up
shot 'Tab: next' H
shot 'list\.c' s Home
press 'Tab: next' s
press 'any key' h
press 'Tab: next' x
shot 'has ended' q
for key in Left Escape; do
	press 'Tab: next' a
	press 'any key' Space '?'
	press 'Tab: next' Space
	press 'has ended' "$key"
done
press 'Tab: next' a
keys C-c
ended
echo "==== without code"
start 'pk-top list.pk 2>err'
await 'has ended'
press 'Tab: next|found' End a
screen | tail -n 1
keys q
keys q
ended
echo "==== a pipe"
start 'cat list.pk | pk-top'
await 'has ended'
shot 'is a pipe' a
keys q
ended
echo "==== without functions"
start 'pk-top --by comm list.pk'
await 'has ended'
shot 'group by symbol' a
shot 'no column dso' d
keys q
ended
echo "==== only some events; conditions do not apply"
{
	some_heat
	event 1 8 1
	name 8 faults
	at 0x110 5000 8
	at 0x110 5000 8
} | assemble | pk-symbolize -q --symfs=root >two.pk
start 'pk-top -e cycles --symfs=root two.pk'
await 'has ended'
press 'Tab: next' Down Down a
press 'Percent . add ' Home
screen | sed '/---/q'
keys q q
ended
start 'pk-top -c list --symfs=root list.pk'
await 'has ended'
keys Down Down
shot 'Tab: next' a
shot 'Tab: next' Home
keys q q
ended
echo "==== not symbolized"
some_heat | assemble >raw.pk
start 'pk-top --symfs=root raw.pk'
await 'has ended'
keys Down Down
shot 'Tab: next' a
keys q q
ended
echo "==== names are no options, and no words of a shell"
{
	header
	event_of 7 'CPU PERIOD CALLCHAIN'
	session "1"
	# shellcheck disable=SC2016 # not expanded on purpose
	strings comm '--output=made' '-o made' '; touch made' '$(touch made)' '`touch made`' "' touch made"
	frame 1 1 256
	stack 1 0 1
	for i in 2 3 4 5 6 7; do
		frame "$i" "$i" 2
		stack "$i" 1 "$i"
		deep 7 1 "$i" "${i}00" "$i"
	done
	finish
} | assemble >names.pk
start 'pk-top names.pk'
await 'has ended'
for name in 1 2 3 4 5 6; do
	press 'no code found' a
	screen | tail -n 1
	press 'has ended  h: help' Down
done
keys q
ended
[ ! -e made ] || echo "a name was run"
