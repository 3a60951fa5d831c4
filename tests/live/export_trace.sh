# SPDX-License-Identifier: BSD-2-Clause
# long
# timeout: 300
# Traces of pk-export trace, read with readers of their own: JSON and packets have the same content, slices are nested, and their
# numbers and times are those of pk-report, pk-span and pk-stat.
. "$PK_TOP/tests/live/export.bash"
command -v python3 >/dev/null || skip "python3 is not installed"

# export_both FILE [OPTION...]: the sums of the trace in the file sums
export_both()
{
	pk-export trace -q -o out.json "$@" 2>err || complain "$1: status $?: $(cat err)"
	pk-export trace -q --perfetto -o out.pftrace "$@" 2>err || complain "$1: status $?: $(cat err)"
	python3 -B "$PK_TOP/tests/live/export_trace.py" out.json out.pftrace >sums 2>err || complain "$*: $(cat err)"
}

# try FILE: instants of all tracepoints, and slices of all spans
try()
{
	export_both "$1"
	# The period of a span without duration is 1.
	pk-report -q --csv --event '*' --merge-events --by event --show 'samples,sum(duration)' "$1" >rows 2>/dev/null ||
		pk-report -q --csv --event '*' --merge-events --by event --show samples,period "$1" >rows 2>/dev/null
	tr -d '"' <rows | awk -F , '
		NR > 1 && $3 ~ /:/ && $3 !~ /^(cpu|task)-clock/ {
			split($3, name, ":")
			if (name[1] == "pk") print "slices\tpk\t" name[2] "\t" $1 "\t" $2
			else print "instants\t" name[1] "\t" name[2] "\t" $1
		}' | LC_ALL=C sort >expected
	awk -F '\t' '$1 == "instants" || $2 == "pk"' sums | LC_ALL=C sort >found
	same "$1"
}

cp "$PK_TOP/tests/data/arm64.pk.zst" arm64.pk
try arm64.pk
pk-span --name=writes --start=sys_enter_write --end=sys_enter_write --key tid --pass arm64.pk >spans.pk 2>/dev/null
try spans.pk
# Samples of clocks are left out, and reported.
cp "$PK_TOP/tests/data/s390x.pk.zst" s390x.pk
pk-export trace -o clock.json s390x.pk 2>err
grep -q 'samples of events that are not tracepoints' err || complain "s390x: $(cat err)"
export_both s390x.pk --samples
grep '^instants' sums | cut -f 4 >found
pk-report -q --csv --event '*' --merge-events --by none --show samples s390x.pk 2>/dev/null | sed 1d >expected
[ -s expected ] || pk-report -q --csv --by event --show samples s390x.pk 2>/dev/null | awk -F , 'NR > 1 { n += $1 } END { print n }' >expected
same "s390x --samples"
if [ -n "${PK_CORPUS-}" ]; then
	own=$PK_CORPUS/own
	for name in arm64-7.2/data/08-tp s390x-7.2/data/08-tp s390x-7.2/data/20-uprobe x86_64-7.2/data/kmem x86_64-7.2/data/lockrec x86_64-7.2/data/syscalls.uprobe-fp; do
		[ ! -e "$own/$name.data" ] || try "$own/$name.data"
	done
	for preset in "syscalls syscalls.rawsys" "sched threads.sched.a" "locks lockrec" "kmem kmem"; do
		read -r preset name <<<"$preset"
		pk-span "$preset" --pass --unfinished "$own/x86_64-7.2/data/$name.data" >$preset.pk 2>/dev/null
		try $preset.pk
	done
	# What runs on the processors, from switches: the spans pk:run, also those at the end.
	export_both sched.pk
	grep -q $'^flows\t[1-9]' sums || complain "no flows: $(tail -n 1 sums)"
	awk -F '\t' '$2 == "cpu" { n += $4; t += $5 } END { print n, t }' sums >found
	pk-report -q --csv --event pk:run --by none --show 'samples,sum(duration)' sched.pk 2>/dev/null |
		awk -F , 'NR > 1 { print $(NF - 1), $NF }' >expected
	same "processors, from switches"
	# The same from spans alone.
	pk-span sched "$own/x86_64-7.2/data/threads.sched.a.data" >run.pk 2>/dev/null
	export_both run.pk
	awk -F '\t' '$2 == "cpu" { n += $4; t += $5 } END { print n, t }' sums >found
	pk-report -q --csv --event pk:run --by none --show 'samples,sum(duration)' run.pk 2>/dev/null |
		awk -F , 'NR > 1 { print $(NF - 1), $NF }' >expected
	same "processors, from spans"
	for counts in x86_64-7.2/data/stat-aI.data s390x-7.2/data/13-stat-pipe.data; do
		export_both "$own/$counts"
		grep '^counts' sums | cut -f 2,4 | LC_ALL=C sort >found
		pk-stat -q --json "$own/$counts" | perl -ne '
			/"counter-value" : "([\d.]+)", "unit" : "(\w*)", "event" : "([^"]*)"/ or next;
			$sum{$3} += $2 eq "msec" ? $1 * 1e6 : $1;
			END { printf "%s\t%.0f\n", $_, $sum{$_} for keys %sum }' | LC_ALL=C sort >expected
		same "$counts"
	done
fi
[ $compared -ge 3 ] || complain "$compared traces were compared"
exit $status
