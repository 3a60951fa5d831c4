# SPDX-License-Identifier: BSD-2-Clause
# The same event is shown when the first sample of another event arrives, and after the key z.
. "$PK_TOP/tests/cli/pk-top/screen.bash"
part()
{
	for ((i = $2; i < $3; i++)); do
		deep "$1" 1 2 100 $((i * 1000000))
		echo FINISHED_ROUND
	done
}
symbolized | sed '/^SAMPLE/,$d' >head.txt
{ cat head.txt; part 8 10 20; } | assemble >first.pk
{ cat head.txt; part 8 10 20; part 7 20 30; } | assemble >second.pk
{ cat head.txt; part 8 10 20; part 7 20 30; part 8 30 40; finish; } | assemble >third.pk
first=$(stat -c %s first.pk) second=$(stat -c %s second.pk)
mkfifo input
start 'pk-top --delay 100ms --by symbol --no-children -n <input'
exec 3>input
head -c "$first" third.pk >&3
await "of event 'cycles'"
head -c "$second" third.pk | tail -c "+$((first + 1))" >&3
await '/2]$'
screen | head -n 1
press "'cpu-clock'" Tab
screen | head -n 1
press "'cycles'" Tab
press 'Samples: 0' z
tail -c "+$((second + 1))" third.pk >&3
exec 3>&-
await 'the input has ended'
screen | head -n 1
keys q
ended
