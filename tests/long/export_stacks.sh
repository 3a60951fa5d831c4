# SPDX-License-Identifier: BSD-2-Clause
# timeout: 1500
# A million samples of as many distinct stacks, in each format: it ends with status 0, and the memory for each stack is bounded. The sum of the
# weights in pprof's, callgrind's and SQLite's file is that of the stream.
. "$PK_TOP/tests/live/export.bash"
. "$PK_TOP/tests/cli/stream.bash"
# A JIT compiler has made 100 functions; each stack has three of them.
{
	header
	event_of 7 'PERIOD CALLCHAIN'
	name 7 cpu-clock
	comm 5 5 deep
	maps_as 5 5 0x10000000 0x64000 //anon
	perl -e '
		print "IMAGE id=1 kind=5 pid=5 path=\"/tmp/perf-5.map\"\nSYMBOLS image=1 count=100";
		printf " symbol[%d].start=%#x symbol[%d].size=4096 symbol[%d].length=11 symbol[%d].name=\"function_%02d\"",
			$_, 0x10000000 + 4096 * $_, $_, $_, $_, $_ for 0 .. 99;
		print "\n";
		for my $n (0 .. 999_999) {
			my @ip = map { sprintf "%#x", 0x10000010 + 4096 * $_ } $n % 100, $n / 100 % 100, int($n / 10000);
			printf "SAMPLE misc=(user) id=7 ip=%s pid=%d tid=%d time=%d period=1000\n  ips[0]=(user) ips[1]=%s ips[2]=%s ips[3]=%s\n", $ip[0], 5, 5, 1000 + $n, @ip;
		}'
} | assemble | pk-symbolize -q >deep.pk
[ "$(pk-fold -q deep.pk | wc -l)" = 1000000 ] || complain "the stream has not 1,000,000 stacks: $(pk-fold -q deep.pk | wc -l)"

PEAK='
import resource, subprocess, sys
status = subprocess.run(sys.argv[1:]).returncode
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10)
sys.exit(status)'

# export_as MIB FORMAT [OPTION...]: the file out; at most MIB of memory
export_as()
{
	local peak
	rm -rf out
	peak=$(python3 -c "$PEAK" pk-export "${@:2}" -q -o out deep.pk) || complain "${*:2}: status $?"
	echo "${*:2}: $peak MiB of memory, a file of $(($(stat -c %s out) >> 20)) MiB"
	[ -n "$PK_SAN" ] || [ "$peak" -le "$1" ] || complain "${*:2}: more than $1 MiB"
}

# sum NAME WEIGHT
sum()
{
	[ "$2" = 1000000000 ] || complain "$1: the sum of the weights is $2"
}

export_as 400 pprof --by none
! command -v go >/dev/null || sum pprof "$(go tool pprof -raw out 2>/dev/null | awk '/^Locations/ { exit } $1 == 1 && $2 == "1000:" { n += 1000 } END { print n + 0 }')"
export_as 400 callgrind --by none
grep -q '^\(summary\|totals\): 1000000 1000000000$' out || complain "callgrind: $(grep '^summary\|^totals' out)"
export_as 400 speedscope
export_as 400 firefox
export_as 400 otlp
export_as 400 trace --samples
export_as 400 rows --by none
sum rows "$(awk -F '\t' 'NR > 1 { n += $4 } END { print n }' out)"
export_as 700 sqlite
! command -v sqlite3 >/dev/null || sum sqlite "$(sqlite3 out 'SELECT sum(weight) FROM samples')"
exit $status
