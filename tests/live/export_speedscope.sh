# SPDX-License-Identifier: BSD-2-Clause
# timeout: 300
# Profiles of pk-export speedscope have the numbers of pk-report, with one of its events at a time. Those of --evented never have
# more.
. "$PK_TOP/tests/live/export.bash"
for stream in $(streams); do
	of_report period $stream >rows
	while read -r event; do
		pk-export speedscope -q --event "$event" -o out $stream 2>err || complain "$stream: status $?: $(cat err)"
		grep "^$event"$'\t' rows | sed "s/^[^\t]*/weight/" | LC_ALL=C sort >expected
		read_export speedscope out | LC_ALL=C sort >found
		same "$stream, $event"
	done < <(cut -f1 rows | sort -u)
	pk-export speedscope -q --lines -o lines $stream
	pk-export speedscope -q -o out $stream
	read_export speedscope lines | LC_ALL=C sort >found
	read_export speedscope out | LC_ALL=C sort >expected
	same "$stream, lines"
done
# The time that a thread needs for a function, from samples of a clock.
pk-export speedscope -q --evented -o out x86_64.pk
read_export speedscope out | LC_ALL=C sort >found
of_report period x86_64.pk | LC_ALL=C sort -t $'\t' -k 2 | awk -F '\t' '
	NR == FNR { self[$2] = $3; next }
	$3 > self[$2] { print "more than recorded: " $0 } { all += $3; recorded += self[$2] }
	END { if (all < recorded / 2) print "too little: " all " of " recorded }' - found >differences
[ ! -s differences ] || complain "--evented: $(head -n 5 differences)"
[ $compared -ge 7 ] || complain "$compared profiles were compared"
exit $status
