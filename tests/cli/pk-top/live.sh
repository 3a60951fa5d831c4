# SPDX-License-Identifier: BSD-2-Clause
# Live: the table changes while the input is read; freeze, zero; the end of the input; quit before it.
. "$PK_TOP/tests/cli/pk-top/screen.bash"
part()
{
	for ((i = $1; i < $2; i++)); do
		deep 7 1 $((2 + i % 3)) 100 $((i * 1000000))
		echo FINISHED_ROUND
	done
}
symbolized | sed '/^SAMPLE/,$d' >head.txt
{ cat head.txt; part 1 10; } | assemble >first.pk
{ cat head.txt; part 1 10; part 10 1000; } | assemble >second.pk
{ cat head.txt; part 1 10; part 10 1000; finish; } | assemble >third.pk
size=$(stat -c %s first.pk) next=$(stat -c %s second.pk)
head -c "$size" third.pk >a
head -c "$next" third.pk | tail -c "+$((size + 1))" >b
tail -c "+$((next + 1))" third.pk >c
size=76x14
mkfifo input
start 'pk-top --delay 100ms --by symbol --no-children -n <input'
exec 3>input
await 'Samples: 0'
cat a >&3
await 'Samples: 8 of'
press '^frozen' f
cat b >&3
press '^frozen' Down
shot 'Samples: 8 of' | grep -v samples/s
press 'Samples: 99[0-9] of' f
press 'Samples: 0' z
press 'Group by' b
press 'Comm' comm Enter
cat c >&3
exec 3>&-
await 'the input has ended'
shot 'it cannot be read again' b 'symbol' Enter
keys q
ended
echo "==== quit before the end"
start 'pk-top --delay 100ms <input'
exec 3>input
cat a >&3
await 'Samples: [1-9] of'
keys q
ended
exec 3>&-
echo "==== decay: all rows vanish, and come again"
start 'pk-top --delay 20ms --decay --no-children <input'
exec 3>input
cat a >&3
await ', Event count .approx..: 0$'
screen | grep -c '%  prog'
cat b c >&3
exec 3>&-
await 'the input has ended'
screen | grep -c '%  prog'
keys q
ended
