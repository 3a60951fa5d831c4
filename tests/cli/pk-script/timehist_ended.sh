# SPDX-License-Identifier: BSD-2-Clause
# A task that has ended has the number -1 in its last samples.
. "$PK_TOP/tests/cli/pk-span/switches.bash"
{
	echo BEGIN
	both_events
	tracing
	comm 2 2 second
	switch 1000 0 0 5
	wakeup 1300 0 5 2 | sed 's/ tid=5/ tid=0xffffffff/'
	switch 1500 0 5 2 | sed 's/ pid=5 tid=5/ pid=0xffffffff tid=0xffffffff/'
} | assemble | pk-script -q --layout timehist:w
