# SPDX-License-Identifier: BSD-2-Clause
# The width of each box is the share of its stacks: a reader of the SVG file finds the parent of each box by its
# place, and compares the width with sums of the folded text.
perl -e 'srand 7;
	for (1 .. 6000) {
		print join(";", map { chr(97 + int rand(3 + $_)) } 0 .. rand 9), " ", 1 + int rand 1000, "\n";
	}' >random.folded
for options in '' --icicle '--reverse --min-width=0.03'; do
	pk-plot flame $options random.folded >picture.svg
	perl -e '
		my (%sum, $all);
		my $reverse = shift;
		open(my $folded, "<", shift);
		while (<$folded>) {
			my ($stack, $weight) = /^(.*) (\d+)$/;
			my @names = split /;/, $stack;
			@names = reverse @names if $reverse;
			$sum{join ";", @names[0 .. $_]} += $weight for 0 .. $#names;
			$all += $weight;
		}
		my (@last, @row, $at, $boxes, $wrong);
		while (<>) {
			if (/^<g transform/) {
				@last = @row;
				@row = ();
				$at = 0;
				next;
			}
			my ($name, $x, $width) = /^<g><title>(.*?) \(.*<rect x="([\d.]+)" width="([\d.]+)"/ or next;
			$boxes++;
			if (!@last) {
				push @row, [$x, $x + $width, ""];
				next;
			}
			$at++ while $at < $#last && $last[$at][1] < $x + $width / 2;
			my $parent = $last[$at];
			my $path = !$parent ? "?" : length $parent->[2] ? "$parent->[2];$name" : $name;
			my $expected = ($sum{$path} // 0) / $all * 1180;
			$wrong++, print "$path: $width, expected $expected\n" if abs($width - $expected) > 0.0101;
			push @row, [$x, $x + $width, $path];
		}
		print $boxes > 1500 ? "many" : "few", " boxes, ", $wrong // 0, " wrong\n"' "$(grep -c reverse <<<"$options")" random.folded picture.svg
done
