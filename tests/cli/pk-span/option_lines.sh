# SPDX-License-Identifier: BSD-2-Clause
# The lines of options in docs/spans.md: all are valid; those for sched_switch and sched_wakeup make spans here.
. "$PK_TOP/tests/cli/pk-span/switches.bash"
{
	header
	both_events
	one_event 7 999 'IDENTIFIER TIME'
	name 7 sched:sched_wakeup_new
	session
	tracing
	switch 100 0 1 2
	switch 150 1 3 1 0
	wakeup 160 0 2 5
	switch 200 0 2 1
	switch 230 1 1 5 0
	switch 260 0 1 2
	switch 270 0 2 4 256 # preempted
	switch 280 0 4 2 32  # ends; the next task has the same number
	switch 290 0 2 4
	finish
} | assemble >switches.pk
sed -n '/^## Option lines/,$p' "$PK_TOP/docs/spans.md" | sed -n -E 's/^\| ([^|]*) \| `(.*)` \|$/\1\t\2/p' | sed 's/\\|/|/g' >lines
wc -l <lines
while IFS=$'\t' read -r what options; do
	eval "pk-span $options switches.pk" >out.pk 2>err
	status=$?
	[ $status != 2 ] || echo "$what: $(cat err)"
	[ $status != 0 ] || {
		echo "== $what"
		pk-script -q -F event,trace out.pk | grep pk:
	}
done <lines
exit 0
