# SPDX-License-Identifier: BSD-2-Clause
# Hostile names of threads, functions, events and counts in pictures over time: the files stay well-formed, and no name becomes an
# element or an attribute.
. "$PK_TOP/tests/cli/pk-plot/spans.bash"
names=('<script>alert(1)</script>' '\"onload=\"a(1)' "x' onclick='a(1)" ']]>' '&lt;&#0;' '\x01\x1b[31m' '\xff\xfe\xc3' '\xe2\x80\xae\xe2\x81\xa6t'
	'\xef\xbf\xbe' '\xed\xa0\x80' '-->' '')
{
	header
	sched_events
	event_of 7 'PERIOD CALLCHAIN'
	name 7 '<b>&]]>'
	task=0
	for text in "${names[@]}"; do
		comm $((++task)) $task "$text"
		maps $task 0x1000 0x1000 "/none/$text"
		switch $((task * 100)) 0 0 $task
		wakeup $((task * 100 + 10)) 0 $task 1
		switch $((task * 100 + 50)) 0 $task 0
		sample_of user 7 $task 0x1010 time=$((task * 100000)) period=50000 nr=1 'ips[0]=0x1010'
	done
	echo 'HEADER_ATTR attr_type=1 config=3 id=5'
	name 5 '<c>\"&]]>\x01'
	echo 'STAT id=5 cpu=0 thread=0 value=5 enabled=1 running=1'
	echo 'STAT_ROUND time=100000'
} | assemble >hostile.pk
pk-span -q sched --pass -o spans.pk hostile.pk
check()
{
	echo "$ pk-plot $*"
	pk-plot -q "$@" spans.pk >picture.svg
	echo "status $?"
	xmllint --noout picture.svg && echo well-formed
	xmllint --xpath 'count(//*[local-name()="script"])' picture.svg
	echo
	xmllint --xpath '//@*[starts-with(name(), "on")]' picture.svg 2>&1
	xmllint --xpath '//*[local-name()="b" or local-name()="c"]' picture.svg 2>&1
	LC_ALL=C grep -c $'\033\|\x01\|\xff\|\xe2\x80\xae' picture.svg
	xmllint --xpath 'count(//*[local-name()="rect"]) > 5' picture.svg
	echo
}
check timeline
check timeline --by comm --title '<b>"&' --subtitle ']]>' --notes '--><i>'
check timeline --by cpu,comm
check chart --event '<b>*'
check chart --event 'pk:run' --by comm,cpu
