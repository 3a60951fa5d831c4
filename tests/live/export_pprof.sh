# SPDX-License-Identifier: BSD-2-Clause
# timeout: 300
# Profiles of pk-export pprof have the numbers of pk-report: the own and the total weight of each function, for each event.
# A reader of the test's own reads them, and pprof if Go is installed.
. "$PK_TOP/tests/live/export.bash"

# of_go FILE TYPE NUMBER: "FUNCTION FLAT CUM" as pprof prints them, in nanoseconds or counts
of_go()
{
	go tool pprof -symbolize=none -nodecount=0 -nodefraction=0 -edgefraction=0 -unit=ns -sample_index="$2" -top "$1" 2>/dev/null |
		sed -n '/flat%/,$p' | sed 1d | perl -ne '
			my ($flat, $cum, $name) = /^\s*(\S+)\s+\S+\s+\S+\s+(\S+)\s+\S+\s+(.*?)(?: \(inline\))?$/ or die "line $_";
			s/ns$// for $flat, $cum;
			print "$name\t$flat\t$cum\n" if $name !~ /^\[|^0x|^<unknown>$/;' | LC_ALL=C sort
}

have_go=1
go tool pprof -h 2>&1 | grep -q sample_index || have_go=
for stream in $(streams); do
	pk-export pprof -q -o out.pb.gz $stream 2>err || complain "$stream: status $?: $(cat err)"
	read_export pprof out.pb.gz >all || complain "$stream: the profile cannot be read"
	expect $stream
	grep -v $'^samples\t' all | LC_ALL=C sort >found
	[ -s found ] || grep $'^samples\t' all | LC_ALL=C sort >found
	same "$stream"
	[ -n "$have_go" ] || continue
	for kind in $(cut -f1 found | sort -u); do
		grep "^$kind"$'\t' found | cut -f2- | grep -v $'^\t' | grep -v '^\[' | LC_ALL=C sort >expected.go
		of_go out.pb.gz "$kind" >found.go
		cmp -s expected.go found.go || {
			complain "== $stream: go tool pprof, $kind"
			diff expected.go found.go | head -n 10
		}
	done
	reports=(-peek=. -traces -tags)
	[[ $stream != *cxx* ]] || reports+=(-list=.)
	for report in "${reports[@]}"; do
		go tool pprof -symbolize=none $report out.pb.gz >printed 2>err || complain "$stream: pprof $report: $(cat err)"
		[ -s printed ] || complain "$stream: pprof $report: nothing"
	done
done
[ $compared -ge 3 ] || complain "$compared streams were compared"
[ -n "$have_go" ] || [ $status != 0 ] || skip "no go: pprof did not read the profiles, only the test's own reader"
exit $status
