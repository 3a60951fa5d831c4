# SPDX-License-Identifier: BSD-2-Clause
# Spans that are shorter than the cells of a timeline are merged: their sums of time and numbers are those of the input, in each lane
# and event. Long ones stay as they are.
. "$PK_TOP/tests/cli/pk-plot/spans.bash"
many_waits >spans.pk
pk-plot -q timeline spans.pk >picture.svg
xmllint --huge --noout picture.svg
grep -oE 'spans shorter than [0-9.]+ [mu]s are merged' picture.svg
[ "$(stat -c %s picture.svg)" -lt 3000000 ] || echo "the picture is too large: $(stat -c %s picture.svg)"

# LANE EVENT NUMBER TIME of the picture. A path is wrong if its numbers of spans are another number than its cells, or its area
# is another time.
perl -ne '
	BEGIN { @value{"A" .. "Z", "a" .. "z", 0 .. 9, "-", "_"} = 0 .. 63 }
	$all = $1 if /class="axis".*data-all="(\d+)"/;
	($width, $step) = ($1, $2) if /class="pieces".* data-width="([\d.]+)".* data-step="(\d+)"/;
	$lane{$1} = $2 if /^<g data-lane="(\d+)"><title>([^\n<]*)/;
	$row = $lane{$1} if /class="row" data-lane="(\d+)"/;
	$name = $1 if /<g fill=.*<title>(?:.*\[)?(.*?)\]?<.title>/;
	if ($step && /<rect x="[\d.]+" width="([\d.]+)"/) {
		$count{"$row $name"}++;
		$time{"$row $name"} += $1 / $width * $all;
		$single++;
	}
	if (/<path transform.* data-t="(\d+)" data-n="([^"]*)" d="M0 0([^"]*)V0"/) {
		my ($time, $numbers, $path) = ($1, $2, $3);
		my ($level, $area, $cells, $number, $factor, $counts) = (0, 0, 0, 0, 1, 0);
		while ($path =~ /([hvV])(-?\d+)/g) {
			$level = $1 eq "V" ? 0 : $level + $2 if $1 ne "h";
			$cells++, $area += $level / 100 * $step if $1 eq "h" && $level;
		}
		for (split //, $numbers) {
			$number += $value{$_} % 32 * $factor;
			$factor *= 32;
			next if $value{$_} >= 32;
			$count{"$row $name"} += $number;
			$counts++;
			$wrong++ if $number < 2;
			($number, $factor) = (0, 1);
		}
		$time{"$row $name"} += $time;
		$wrong++ if $counts != $cells || abs($area - $time) > $time / 50 + $step * $cells / 100;
		$merged += $cells;
	}
	END {
		printf STDERR "%d wrong, %s pieces alone, %s merged\n", $wrong, map { $_ > 100 ? "many" : $_ } $single, $merged;
		printf "%s %d %.0f\n", $_, $count{$_}, $time{$_} for sort keys %count;
	}' picture.svg >found
pk-report -q --csv --no-children --by tid,event --show 'samples,sum(duration)' --event 'pk:*' spans.pk | sed 1d | tr ',' ' ' |
	sed 's/pk://' | sort -k 3,4 >expected
sed -i 's/^:[0-9]* //' found
paste -d ' ' expected found | awk '
	{ difference = $2 - $8 }
	$1 != $7 || $3 != $5 || $4 != $6 || difference > $2 / 1000 || difference < -$2 / 1000 { print; wrong++ }
	{ sum += $1 }
	END { print NR, "lanes,", sum, "spans,", wrong + 0, "wrong" }'
