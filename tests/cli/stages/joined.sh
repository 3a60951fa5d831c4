# SPDX-License-Identifier: BSD-2-Clause
# long
# Sessions that cat(1) joins: what a program knows of one session must not reach the next one. Freed memory is filled with a
# pattern, so that its use shows without sanitizers, too.
PK_SAN='' . "$PK_TOP/tests/sweep/inputs.bash"
export MALLOC_PERTURB_=165
ulimit -c 0

# events COUNT FIRST_ID: a session with that many events, and a sample of each
events()
{
	local i
	header
	for ((i = 0; i < $1; i++)); do
		event 1 $(($2 + i)) "$i"
		name $(($2 + i)) "event-$(($2 + i))"
	done
	comm 5 5 prog
	for ((i = 0; i < $1; i++)); do
		sample $(($2 + i)) 5 0x1000 1 $((30 + i))
	done
}
events 1 7 | assemble >fewer.pk
events 40 3 | assemble >more.pk
for file in arm64.pk x86_64.pk s390x.pk deferred/naps.pk; do
	zstd -qdc "$data/$file.zst" >"$(basename "$file")"
done
zstd -qdc "$data/deferred/switches.data.zst" | pk-filter -q >switches
others=("$here/fewer.pk" "$here/more.pk" "$here/arm64.pk" "$here/fewer.pk" "$here/naps.pk" "$here/s390x.pk")

echo "== each line of tests/sweep/, its inputs between sessions with fewer, more and other events, formats and ids"
ran=0
is_stream()
{
	[ -f "$1" ] && pk-script --stats "$1" >/dev/null 2>&1
}
run_joined()
{
	local status=0
	mkdir -p run && cd run || exit
	timeout 60 "$@" </dev/null >out.run 2>err.run
	status=$?
	if [ $status -gt 2 ] || grep -q 'Sanitizer\|runtime error' err.run; then
		echo "status $status: ${*//$here\//}"
		grep -m 3 'Sanitizer\|runtime error' err.run
	fi
	ran=$((ran + 1))
	cd .. && rm -rf run
}
sweep()
{
	local words=() input='' at=1
	swept=$((swept + 1))
	[ "$1" != -m ] && [ "$1" != -c ] || return 0 # pk-stat counts
	if [ "$1" = -i ]; then
		input=$2
		shift 2
	fi
	for word in "$@" ${input:+"$input"}; do
		if [ "$word" = "$input" ] || is_stream "$word"; then
			cat "${others[@]}" "$word" "${others[@]}" "$word" >"$here/joined.$at" 2>/dev/null || return 0
			words+=("$here/joined.$((at++))")
		else
			words+=("$word")
		fi
	done
	[ $at = 1 ] || run_joined "${words[@]}"
}
for program in "$PK_TOP"/pk-*/; do
	sweep_program "$(basename "$program")"
done
# Lines that need what most of these inputs lack: the first session has it.
joined()
{
	cat switches naps.pk fewer.pk naps.pk more.pk arm64.pk switches >all.pk
	run_joined "$@" "$here/all.pk"
}
while read -ra line; do
	joined "${line[@]}"
done <<'LINES'
pk-span sched
pk-span offcpu --unfinished
pk-span --start sched_switch --start-where prev_state>0 --end sched_switch --key prev_pid=next_pid --carry prev_comm,ip
pk-merge-callchains
pk-script --view timehist
pk-plot timeline
pk-report --by prev_comm,trace.next_pid --show count,sum(prev_prio)
pk-filter --where prev_prio>100||period>1
pk-export trace --samples -o out
pk-top --live
LINES
echo "$((ran > 100)) lines ran: more than 100"

echo "== the joined sessions give what each of them gives"
# each PROGRAM...: for all pairs, the program's dump of both is that of the one and of the other
dump()
{
	"$@" -q 2>/dev/null | pk-script --dump - 2>/dev/null | grep -v 'EVENT_UPDATE.*subtype\|^ ' | sed 's/^ *[0-9]* *//; s/offset=[^ ]*//'
}
text()
{
	"$@" -q 2>/dev/null
}
each()
{
	local how=$1 a b
	shift
	for a in "${sessions[@]}"; do
		for b in "${sessions[@]}"; do
			cmp -s <(cat "$a" "$b" | "$how" "$@") <(for one in "$a" "$b"; do "$how" "$@" <"$one"; done) ||
				echo "$*: $a and $b differ from $a, $b"
		done
	done
}
sessions=(naps.pk fewer.pk more.pk arm64.pk x86_64.pk)
each dump pk-span sched
each dump pk-merge-callchains
each dump pk-filter --where 'period > 1 && comm != "prog"'
each text pk-script
each text pk-script --format '{event} {comm} {ip} {period}'
sessions=(naps.pk switches arm64.pk)
each dump pk-span --optional --name s --start 'sched*' --start-where 'prev_state > 0' --end 'sched*' --key prev_pid=next_pid
each dump pk-filter --where 'prev_prio > 100 || next_pid > 1'
each text pk-script --format '{event} {comm} {prev_comm} {prev_prio} {period}'
