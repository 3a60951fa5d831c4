# SPDX-License-Identifier: BSD-2-Clause
# --tasks lists tasks below the task that created them, with the last name of each. A thread id that is used again is another task.
. "$PK_TOP/tests/cli/stream.bash"

# created PID TID PARENT
created()
{
	echo "FORK pid=$1 ppid=$3 tid=$2 ptid=$3 time=1"
}

{
	header
	event 1 7
	comm 10 10 shell
	created 20 20 10
	created 30 30 10
	comm 20 20 make
	created 40 40 20
	comm 40 40 cc
	created 40 41 40
	created 20 20 30
	comm 20 20 $'a\\eb'
	comm 99 99 other
} | assemble >tasks.pk
pk-script --tasks tasks.pk
cat tasks.pk | pk-script --tasks
echo 'two sessions'
cat tasks.pk tasks.pk | pk-script --tasks | tail -n 8
{ header; event 1 7; } | assemble | pk-script --tasks
pk-script --tasks --json tasks.pk || echo $?
pk-report --task tasks.pk || echo $?
