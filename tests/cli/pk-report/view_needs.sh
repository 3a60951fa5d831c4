# SPDX-License-Identifier: BSD-2-Clause
# A view or preset that finds the wrong recording says which one it reads.
. "$PK_TOP/tests/cli/pk-span/scenes.bash"
{
	header
	event 1 7
	name 7 cpu-clock
	comm 5 5 five
	sample 7 5 0x1000
} | assemble >plain.pk
for program in pk-report pk-span pk-script; do
	for view in $("$program" --view list | awk '/^[^ ]/ { print $1 }'); do
		"$program" --view "$view" plain.pk 2>&1 >out | sed -n "s/^$program: \($view reads the output of: .*\)/$program \1/p" >line
		if [ -s line ]; then cat line; else echo "$program $view: fits"; fi
	done
done
echo "== each line of needs is of a view"
sed -nE 's/^needs (pk-span\.)?([a-z0-9-]+):.*/\2/p' "$PK_TOP/share/pk/views" | while read -r view; do
	grep -qE "^(pk-report|pk-span|pk-script) $view:" "$PK_TOP/share/pk/views" || echo "no view: $view"
done
echo "== a preset whose ends are missing"
{
	echo 'event block:block_rq_issue u32 dev, u64 sector, u32 nr_sector, u32 bytes, text rwbs, text comm'
	for i in {1..20}; do
		echo "$((i * 1000)) 5 0 block_rq_issue 8388608 $i 8 4096 W dd"
	done
} | try block >/dev/null
{ pk-span block block.pk >out.pk; } 2>&1
echo "== switches of some tasks only"
{
	echo 'event sched:sched_switch text prev_comm, int prev_pid, int prev_prio, s64 prev_state, text next_comm, int next_pid, int next_prio'
	for i in {1..9}; do
		echo "$((i * 1000)) 5 0 sched_switch five 5 120 1 other 9 120"
	done
} | try sched >/dev/null
for view in timehist map; do
	{ pk-script -q --view $view sched.pk >out; } 2>&1
	{ pk-script --view $view sched.pk >out; } 2>&1
done
exit 0
