# SPDX-License-Identifier: BSD-2-Clause
# long
# A view over spans prints the same lines for a recording as for the output of pk-span.
. "$PK_TOP/tests/cli/pk-span/scenes.bash"
. "$PK_TOP/tests/cli/pk-report/spans.bash"

# same_output WHAT FILE EXPECTED: the view prints the same lines for both files
same_output()
{
	"$program" -q --view "$view" "$2" >found 2>found.err
	"$program" -q --view "$view" "$3" >expected 2>expected.err
	cmp -s expected found && return
	echo "$1: $program --view $view: different: $(head -n 1 found.err)"
	diff expected found | head -n 5
}

# compare PRESET FILE: compares the views of the preset, for a recording, for one that still has the samples of the spans, for joined recordings
# with and without spans, and for cut recordings
compare()
{
	local size part
	size=$(stat -c %s "$2")
	views_of "$1" >views
	while read -r program view; do
		same raw "$2" "$program" "$view"
		echo "$program $view: $lines lines"
		cp spans.pk treated.pk
		pk-span -q "$1" --pass "$2" >passed.pk 2>err && same_output "spans and samples" passed.pk treated.pk
		cat "$2" treated.pk "$2" >joined.pk
		cat treated.pk treated.pk treated.pk >all.pk
		same_output joined joined.pk all.pk
		for part in 5 7; do
			head -c $((size * part / 8)) "$2" >cut.pk
			same "cut at $part/8" cut.pk "$program" "$view"
		done
	done <views
}

# try PRESET <SCENE
try()
{
	{
		header
		perl "$PK_TOP/tests/cli/pk-span/presets.pl" formats
		finish
	} | assemble >"$1.pk"
	compare "$1" "$1.pk"
	[ -e calls.pk ] || cp syscalls.pk calls.pk
}

. "$PK_TOP/tests/cli/pk-span/preset_scenes.bash"
try sched <<'END'
event sched:sched_switch text prev_comm, int prev_pid, int prev_prio, s64 prev_state, text next_comm, int next_pid, int next_prio
event sched:sched_wakeup text comm, int pid, int prio, int target_cpu
100 5 0 sched_switch five 5 120 1 six 6 120
130 6 0 sched_wakeup five 5 120 0
170 6 0 sched_switch six 6 120 0 five 5 120
190 5 0 sched_switch five 5 120 2 six 6 120
250 6 0 sched_switch six 6 120 1 idle 0 120
300 0 0 sched_wakeup five 5 120 0
330 0 0 sched_switch idle 0 120 0 five 5 120
END
compare offcpu sched.pk
echo "== fields that are texts"
with()
{
	same "$*" calls.pk pk-report syscalls "$@"
	echo "$lines lines"
}
with --by trace.args
with --by tid --where 'trace.args~"fd*"'
with --weight ret --by tid
with --by tid --show 'distinct(trace.args),sum'
with --by event,trace.args,trace.call --merge-events
echo "== losses"
pk-report --view offcpu --fail-on spans sched.pk 2>&1 >out | sed 1q
pk-report -v --view syscalls calls.pk 2>&1 >out | grep -E 'starts?$|spans?$'
echo "== a recording that has no start of the spans"
pk-report --view block sched.pk
echo "status $?"
exit 0
