# SPDX-License-Identifier: BSD-2-Clause
# The key b with a field that no event has, while a pipe is read and at the end; with a directory as input.
. "$PK_TOP/tests/cli/pk-top/screen.bash"
symbolized >all.txt
{
	grep -v '^END' all.txt
	echo FINISHED_ROUND
	echo FINISHED_ROUND
} | assemble >open.pk
mkfifo input
size=76x8
start 'pk-top --delay 100ms --by symbol <input'
exec 3>input
cat open.pk >&3
await 'Samples: [1-9]'
shot 'perod' b perod Enter | grep -v samples/s
keys q
ended
exec 3>&-
echo "==== a directory"
mkdir threads
assemble <all.txt >threads/data
touch threads/data.0
start 'pk-top --by symbol threads'
await 'has ended'
shot '%  cpu-clock' b event Enter
shot 'perod' b perod Enter
keys q
ended
