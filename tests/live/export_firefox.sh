# SPDX-License-Identifier: BSD-2-Clause
# long
# timeout: 300
# Profiles of pk-export firefox, read with a reader of its own: each index is in its table, and functions, markers and counters
# have the numbers of pk-report and pk-stat.
. "$PK_TOP/tests/live/export.bash"
command -v python3 >/dev/null || skip "python3 is not installed"

# read_firefox FILE EVENT: the file found; markers and counters in the files markers and counters
read_firefox()
{
	python3 -B "$PK_TOP/tests/live/export_firefox.py" "$1" "$2" >all 2>err || complain "$1: $(cat err)"
	awk -F '\t' '$2 == "markers"' all | LC_ALL=C sort >markers
	awk -F '\t' '$2 == "counter"' all | LC_ALL=C sort >counters
	awk -F '\t' '$2 != "markers" && $2 != "counter"' all | LC_ALL=C sort >found
}

# try STREAM: functions of all events; markers of tracepoints and spans
try()
{
	of_report period "$1" >expected
	pk-export firefox -q -o out.json "$1" 2>err || complain "$1: status $?: $(cat err)"
	read_firefox out.json "$(head -n 1 expected | cut -f 1)"
	same "$1"
	pk-report -q --csv --event '*' --merge-events --by event --show samples,period "$1" 2>/dev/null | tr -d '"' |
		awk -F , 'NR > 1 && $3 ~ /:/ && $3 !~ /^(cpu|task)-clock/ { print $3 "\tmarkers\t" $1 "\t" ($3 ~ /^pk:/ ? $2 : 0) }' |
		LC_ALL=C sort >expected
	mv markers found
	[ ! -s expected ] || same "$1, markers"
}

for stream in $(streams); do
	try $stream
	pk-export firefox -q -o out.json.gz $stream
	gzip -dc out.json.gz | cmp - out.json || complain "$stream: other bytes with gzip"
done
# Spans, and the events that they are made of.
pk-span --name=writes --start=sys_enter_write --end=sys_enter_write --key tid arm64.pk >spans.pk 2>/dev/null
try spans.pk
if [ -n "${PK_CORPUS-}" ]; then
	pk-span syscalls "$PK_CORPUS/own/x86_64-7.2/data/syscalls.rawsys.data" 2>/dev/null | pk-symbolize -q >syscalls.pk 2>/dev/null
	try syscalls.pk
	pk-span sched "$PK_CORPUS/own/x86_64-7.2/data/threads.sched.a.data" 2>/dev/null | pk-symbolize -q >sched.pk 2>/dev/null
	try sched.pk
	# Counts of each interval: their sums are those of pk-stat.
	for counts in x86_64-7.2/data/stat-aI.data s390x-7.2/data/13-stat-pipe.data; do
		counts=$PK_CORPUS/own/$counts
		pk-export firefox -q -o out.json "$counts" || complain "$counts: status $?"
		read_firefox out.json ""
		cut -f 1,4 counters | LC_ALL=C sort >found
		pk-stat -q --json "$counts" | perl -ne '
			/"counter-value" : "([\d.]+)", "unit" : "(\w*)", "event" : "([^"]*)"/ or next;
			$sum{$3} += $2 eq "msec" ? $1 * 1e6 : $1;
			END { printf "%s\t%.0f\n", $_, $sum{$_} for keys %sum }' | LC_ALL=C sort >expected
		same "$counts"
	done
fi
[ $compared -ge 4 ] || complain "$compared profiles were compared"
exit $status
