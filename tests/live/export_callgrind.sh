# SPDX-License-Identifier: BSD-2-Clause
# timeout: 300
# Files of pk-export callgrind have the numbers of pk-report: the own and the inclusive cost of each function, for each event.
# A reader of the test's own reads them, and callgrind_annotate if valgrind is installed.
. "$PK_TOP/tests/live/export.bash"

# Code without a function has the name of its object here, and no name in pk-report.
resolved()
{
	sed -e '/\t\t/d' -e '/\t\[/d' "$1"
}

# of_annotate YES|NO: "EVENT FUNCTION COST", of each event that is not 0
of_annotate()
{
	callgrind_annotate --threshold=100 --inclusive="$1" out 2>/dev/null | perl -ne '
		@events = $1 =~ /\S+/g if /^Events shown: +(.*)/;
		next unless my ($costs, $name) = /^ *([\d,.][\d,.%() ]*)  [^:]*:(.*?)(?: \[[^ ]*\]| \[\[[^ ]*\]\])?$/;
		my @costs = $costs =~ /([\d,.]+)(?: \([\d. ]+%\))?/g;
		for (0 .. $#events) {
			(my $cost = $costs[$_]) =~ tr/,//d;
			$sum{"$events[$_]\t$name"} += $cost if $cost =~ /^\d+$/;
		}
		END { print "$_\t$sum{$_}\n" for keys %sum }' | LC_ALL=C sort
}

annotate=1
command -v callgrind_annotate >/dev/null || annotate=
for stream in $(streams); do
	pk-export callgrind -q -o out $stream 2>err || complain "$stream: status $?: $(cat err)"
	expect $stream
	resolved expected >rows && mv rows expected
	[ -s expected ] || continue
	read_export callgrind out >all
	grep -v $'^samples\t' all | resolved - | LC_ALL=C sort >found
	[ -s found ] || resolved all | LC_ALL=C sort >found
	same "$stream"
	[ -n "$annotate" ] || continue
	awk -F '\t' '$3 { print $1 "\t" $2 "\t" $3 }' expected | LC_ALL=C sort >expected.self
	cut -f1,2,4 expected | LC_ALL=C sort >expected.inclusive
	of_annotate no | LC_ALL=C join -t $'\x01' - expected.self >found.self
	of_annotate yes | LC_ALL=C join -t $'\x01' - expected.inclusive >found.inclusive
	for kind in self inclusive; do
		cmp -s expected.$kind found.$kind || {
			complain "== $stream: callgrind_annotate, $kind"
			diff expected.$kind found.$kind | head -n 5
		}
	done
done
[ $compared -ge 3 ] || complain "$compared streams were compared"
[ -n "$annotate" ] || [ $status != 0 ] || skip "no callgrind_annotate: only the test's own reader has read the files"
exit $status
