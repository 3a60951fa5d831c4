# SPDX-License-Identifier: BSD-2-Clause
# cells.pl PICTURE.svg [KEY=VALUE...] <SAMPLES.jsonl: the cells of a heat map or the bars of a histogram are the sums of
# the samples. Keys: x, y (fields; second: the time modulo 1 s), by (field), weight (field), min, max (of y).
use strict;
use warnings;

my ($file, %is) = (shift, x => 'time', y => 'period', map { split /=/, $_, 2 } @ARGV);
my (@panels, @edges, $group);
open(my $picture, '<', $file) or die;
while (<$picture>) {
	$group = $1 if /<text class="heading"[^>]*>([^<]*)/;
	if (/<g class="cells"/) {
		my %panel = (group => $group, cells => {});
		$panel{$1} = $2 while /data-(\w+)="([^"]*)"/g;
		$panel{$_} and @edges = split ' ', $panel{$_} for 'rows', 'edges';
		push @panels, \%panel;
	}
	my ($x, $y, $n) = /<rect class="(?:k\d+|bar)" x="([\d.]+)" y="([\d.]+)".* data-n="(\d+)"/ or next;
	my $p = $panels[-1];
	my $row = exists $p->{start} ? $p->{height} - 1 - $y : int $x;
	$p->{cells}{(exists $p->{start} ? $x : 0) . " $row"} += $n;
}

# The row of a number by binary search.
sub row_of {
	my ($number) = @_;
	my ($low, $high) = (0, $#edges);
	return -1 if $number < $edges[0] || $number >= $edges[-1];
	while ($high - $low > 1) {
		my $half = int(($low + $high) / 2);
		$number < $edges[$half] ? ($high = $half) : ($low = $half);
	}
	return $low;
}

my (%expected, $samples, $left_out);
while (<STDIN>) {
	next unless /"type":"SAMPLE"/;
	my $sample = {/"(\w+)":"?([^",}]*)/g};
	my $value = $is{y} eq 'second' ? $sample->{time} % 1e9 : $sample->{$is{y}};
	$left_out++, next
		if !defined $value || (defined $is{min} && $value < $is{min}) || (defined $is{max} && $value > $is{max});
	my $panel = 0;
	if ($is{by}) {
		my $name = "$is{by}=$sample->{$is{by}}";
		($panel) = grep { $panels[$_]{group} =~ /\Q$name\E, / } 0 .. $#panels;
		($panel) = grep { $panels[$_]{group} =~ /other/ } 0 .. $#panels unless defined $panel;
	}
	my $p = $panels[$panel];
	my $column = exists $p->{start} ? int(($sample->{time} - $p->{start}) / $p->{step}) : 0;
	$expected{"$panel $column " . row_of($value)} += $is{weight} ? $sample->{$is{weight}} : 1;
	$samples++;
}
my ($cells, $wrong) = (0, 0);
for my $panel (0 .. $#panels) {
	for my $cell (sort keys %{$panels[$panel]{cells}}) {
		my $sum = delete $expected{"$panel $cell"} // 0;
		$cells++;
		$wrong++, print "panel $panel, cell $cell: $panels[$panel]{cells}{$cell}, expected $sum\n"
			if $sum != $panels[$panel]{cells}{$cell};
	}
}
$wrong += keys %expected;
# The headings have the shares of the groups.
my @sums = map { my $sum = 0; $sum += $_ for values %{$_->{cells}}; $sum } @panels;
my $all = 0;
$all += $_ for @sums;
for my $panel (0 .. $#panels) {
	my ($share) = $panels[$panel]{group} =~ /, ([\d.]+)%$/ or next;
	$wrong++, print "$panels[$panel]{group}: expected ", 100 * $sums[$panel] / $all, "%\n"
		if abs($share - 100 * $sums[$panel] / $all) > 0.00501;
}
printf "%s: %d panels, %s cells of %d samples, %d left out, %d wrong\n", $file, scalar @panels,
	$cells > 40 ? 'many' : $cells, $samples // 0, $left_out // 0, $wrong;
