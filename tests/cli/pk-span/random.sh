# SPDX-License-Identifier: BSD-2-Clause
# long
# Random starts and ends, compared with a simple model: every pair, and the numbers.
. "$PK_TOP/tests/cli/pk-span/switches.bash"
for seed in {1..5}; do
	nested=$((seed % 2)) most=$((seed % 4 ? 1000 : 3))
	{
		header
		both_events
		session
		tracing
		# Functions of switches.bash
		eval "$(perl "$PK_TOP/tests/cli/pk-span/random.pl" $seed $nested $most)"
		finish
	} | assemble >random.pk
	# shellcheck disable=SC2046 # no option, or one
	pk-span -v --start sched_wakeup --end sched_switch --key trace.pid=next_pid --unfinished --open $most \
		$([ $nested = 0 ] || echo --nested) random.pk >out.pk 2>err || echo "seed $seed: status $?"
	pk-script -q -F event,trace out.pk | sed -n -E 's/^ *pk:span: *//p' >found
	cmp found expected || diff found expected | head
	sed -E 's/^pk-span: +//' err | awk '{ n[$2 " " $3] = $1 } END {
		printf "%d starts, %d spans, %d never ended, %d open, %d dropped, %d without a start\n",
			n["starts "], n["spans "], n["spans that"], n["spans open"], n["open spans"], n["ends without"] }' | tr -d , >books
	tr -d , <numbers | diff - books && cat numbers
done
exit 0
