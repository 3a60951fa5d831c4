# SPDX-License-Identifier: BSD-2-Clause
# Timelines: lanes, wakeups, counts; inputs that have nothing to draw; wrong options.
. "$PK_TOP/tests/cli/pk-plot/spans.bash"
exec 2>&1
{
	header
	sched_events
	comm 1 1 first
	comm 2 2 second
	switch 1000 0 0 1
	switch 1200 0 1 0
	wakeup 1300 1 2 1
	switch 1310 0 0 1
	switch 1500 0 1 0
	wakeup 1600 0 1 2
	switch 1650 1 0 2
	switch 1900 1 2 0
} | assemble >switches.pk
pk-span -q sched --pass -o spans.pk switches.pk
{
	header
	echo 'HEADER_ATTR attr_type=1 config=3 id=5'
	name 5 switches
	for round in 1 2 3; do
		echo "STAT id=5 cpu=0 thread=0 value=$((round * round * 100)) enabled=10 running=10"
		echo "STAT_ROUND time=${round}00000"
	done
} | assemble >counts.pk
picture()
{
	echo "$ pk-plot timeline $*"
	pk-plot timeline "$@" >picture.svg
	echo "status $?"
	xmllint --noout picture.svg && without_code picture.svg | sed '/<defs>/,/<\/defs>/d'
}
picture --width=620 --title='<T>' --subtitle=S spans.pk counts.pk
picture --width=620 --by=cpu --lanes=1 spans.pk | grep -v '^<line\|^<rect'
pk-plot timeline --html --event=run spans.pk | grep -c '<html\|</html>'
# There is something, but no spans; or nothing.
picture switches.pk | head -n 3
{ header; } | assemble | picture | head -n 3
for option in --by= --by=cpuu --lanes=0 --height=1 --colors=hot --diff=x --event=none; do
	echo "$ pk-plot timeline $option"
	pk-plot timeline $option spans.pk >picture.svg
	echo "status $?"
done
