# SPDX-License-Identifier: BSD-2-Clause
# --format: lines of fields; units, widths, marks, samples of other events, and errors.
. "$PK_TOP/tests/cli/pk-span/switches.bash"
{
	echo BEGIN
	both_events
	tracing
	switch 1000 0 5 6
	wakeup 2000 1 6 5
	switch 2500 0 6 5 0
	switch 4000000 1 5 7
} | assemble >in.pk
pk-span -q --start sched_switch --start-where 'prev_state != 0' --end sched_switch --key prev_pid=next_pid --carry prev_comm --name offcpu --pass in.pk >spans.pk
try()
{
	echo "$ $1"
	pk-script --format "$@" 2>&1
	echo "status $?"
}
try '{comm}/{tid} {time}' in.pk
try '[{next_comm}] [{next_comm:4}] [{next_comm:>4}] [{next_comm:.1}] [{next_pid:3}] [{next_pid:<3}] {next_pid:x}' in.pk
try '{{{tid}}} }}{{' in.pk
try '{trace.start:10.3ms} {trace.start:+ms} {trace.duration:.0us} {trace.duration:12s} {prev_comm}' spans.pk
try '{time:+us} {trace.duration:us}' spans.pk
try '{cpu} {@}{next_comm}{@4}{@}{next_pid}{@1}|{@40}|' in.pk
try '{prev_pid:result} {prev_state:.2result} {common_type:us}' in.pk
try '{prev_comm:ms}' in.pk
for wrong in '' '{' 'a}' '{}' '{a b}' '{tid:q}' '{tid:1001}' '{tid:99999999999}' '{tid:.}' '{@x}' '{@1001}' '{tid' '{no_such}' '{trace.no_such}'; do
	try "$wrong" in.pk
done
try '{tid}' --json in.pk
try '{tid}' -F comm in.pk
# Callchains are not printed.
{
	echo BEGIN
	both_events CALLCHAIN
	tracing
	switch 1000 0 5 6 1 'ips[0]=0xffffffffffffff80 ips[1]=0xffffffff81000000'
} | assemble >chains.pk
try '{next_comm}' chains.pk
pk-symbolize -q --kallsyms=/dev/null chains.pk | pk-script --layout map
echo "== views"
pk-script --view list | grep -v '^ '
pk-script -q --view none in.pk 2>&1
