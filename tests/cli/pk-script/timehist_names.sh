# SPDX-License-Identifier: BSD-2-Clause
# The names of tasks are those of records: of a COMM, of the parent at a fork, and of the last user of a number that is used again. A task
# without one has the name in the sample.
. "$PK_TOP/tests/cli/pk-span/switches.bash"
# task TIME TID RECORD...
task()
{
	echo "${*:3} trailer.id=9 trailer.pid=$2 trailer.tid=$2 trailer.time=${1}000 trailer.cpu=0"
}
{
	echo BEGIN
	both_events
	tracing
	task 900 5 "$(comm 5 5 shell)"
	switch 1000 0 0 5
	task 1100 5 FORK pid=6 ppid=5 tid=6 ptid=5
	wakeup 1200 0 5 6
	switch 1300 0 5 6
	wakeup 1400 0 6 4
	task 1450 6 "$(comm 6 6 cc)"
	switch 1500 0 6 4
	wakeup 1600 0 4 6
	task 1650 6 EXIT pid=6 ppid=5 tid=6 ptid=5
	switch 1700 0 4 6
	task 1800 4 FORK pid=6 ppid=4 tid=6 ptid=4
	switch 1900 0 6 5
	task 1950 4 "$(comm 4 4 late)"
	switch 2000 0 5 4
	task 2050 4 "$(comm 4 4 late)"
	switch 2100 0 4 0
	switch 2200 0 0 4
} | assemble >in.pk
pk-script -q --layout timehist:wn in.pk
pk-script -q --layout map in.pk
