# SPDX-License-Identifier: BSD-2-Clause
# report_agree.pl SEED COUNT STREAM...: draws combinations of a stream, of fields and of aggregates, and compares
# the rows of pk-report with what is calculated here from pk-script --json. Exit status 1 if one differs.
use strict;
use warnings;

my ($seed, $count, @streams) = @ARGV;
srand($seed);
my $bad = 0;

my @plain = qw(comm pid tid cpu event mode dso symbol srcline host period depth id mem mem_op snoop tlb locked blocked cacheline socket
	comm_nodigit);
my @numbers = qw(period time cpu pid tid depth ip addr weight hitm mem_load cacheoff data_page_size);

sub draw
{
	my ($n, @from) = @_;
	my %seen;
	return grep { !$seen{$_}++ } map { $from[rand @from] } 1 .. $n;
}

# The values of a sample's members: strings keep their escapes.
sub members
{
	my ($line) = @_;
	my %values;
	$line =~ s/,"callchain":\[.*/}/;
	while ($line =~ /[{,]"([^"\\]+)":(?:"((?:[^"\\]|\\.)*)"|(-?[0-9]+))/g) {
		$values{$1} = defined $2 ? $2 : $3;
	}
	return \%values;
}

sub samples_of
{
	my ($stream, @fields) = @_;
	my %seen = (event => 1, period => 1);
	my $list = join(',', 'event', 'period', grep { !$seen{$_}++ } @fields);
	my @samples;
	open(my $in, '-|', "pk-script -q --json -F '$list' '$stream' 2>/dev/null") or die;
	while (<$in>) {
		push @samples, members($_) if /^\{"type":"SAMPLE"/;
	}
	close $in;
	return @samples;
}

sub number
{
	my ($value) = @_;
	return undef if !defined $value;
	no warnings 'portable';
	return $value =~ /^0x/ ? hex($value) : $value;
}

# A text for comparison: numbers are decimal.
sub key
{
	my ($value) = @_;
	return '-' if !defined $value;
	return '=' . ($value =~ /^0x[0-9a-f]+$/ ? number($value) : $value);
}

# The smallest number of the bucket.
sub bucket
{
	my ($value, $bucket) = @_;
	return $value if !defined $value || $bucket eq '';
	my $number = number($value);
	if ($bucket eq 'log2') {
		my $low = 1;
		return 0 if !$number;
		$low *= 2 while $low * 2 <= abs($number);
		return $number < 0 ? -$low : $low;
	}
	my $step = $bucket =~ /^(\d+)ms$/ ? $1 * 1000000 : $bucket;
	return $number - $number % $step;
}

sub aggregate
{
	my ($name, @all) = @_;
	my ($kind, $field) = $name =~ /^([a-z0-9.]+)\((\w+)\)$/;
	my @have = grep { defined } map { $_->{$field} } @all;
	my %different = map { $_ => 1 } @have;
	return scalar keys %different if $kind eq 'distinct';
	return scalar @have if $kind eq 'count';
	return undef if !@have;
	return $have[0] if $kind eq 'first';
	return $have[-1] if $kind eq 'last';
	@have = map { number($_) } @have;
	if ($kind eq 'peak') {
		my ($so_far, $peak) = (0);
		for (@have) {
			$so_far += $_;
			$peak = $so_far if !defined $peak || $so_far > $peak;
		}
		return $peak;
	}
	@have = sort { $a <=> $b } @have;
	my ($sum, $n) = (0, scalar @have);
	$sum += $_ for @have;
	return $sum if $kind eq 'sum';
	return $sum / $n if $kind eq 'avg';
	return $have[0] if $kind eq 'min';
	return $have[-1] if $kind eq 'max';
	if ($kind eq 'stddev') {
		my ($squares, $mean) = (0, 0);
		my @differences = map { $_ - $have[0] } @have;
		$mean += $_ / $n for @differences;
		$squares += ($_ - $mean)**2 for @differences;
		return $n < 2 ? 0 : sqrt($squares / ($n - 1));
	}
	my ($percent) = $kind =~ /^p(.*)/;
	my $rank = $percent / 100 * $n;
	$rank = int($rank) + ($rank > int($rank) ? 1 : 0);
	return $have[$rank < 1 ? 0 : $rank - 1];
}

# Whether a printed number is the calculated one. Perl's numbers have 53 bits.
sub is_same
{
	my ($found, $expected, $error) = @_;
	return !defined $found && !defined $expected if !defined $found || !defined $expected;
	return 1 if $found eq $expected;
	return 0 if "$found$expected" !~ /^[-0-9a-fx.e+]+$/;
	my ($a, $b) = (number($found), number($expected));
	return abs($a - $b) <= $error * (abs($b) + 1e-6);
}

# What is expected of a number; undef: nothing.
sub expected
{
	my ($name, $total, @samples) = @_;
	my $weight = 0;
	$weight += $_->{period} || 1 for @samples;
	return scalar @samples if $name eq 'samples';
	return $weight if $name eq 'period';
	return 100 * $weight / $total if $name eq 'share';
	return aggregate($name, @samples);
}

# The key of a row: the level, if there are levels, and the values of the fields up to it.
sub row_of
{
	my ($level, @values) = @_;
	return join("\0", $level, map { key($_) } $level eq '' ? @values : @values[0 .. $level - 1]);
}

# check STREAM BY SHOW MODE: mode is '', --group or --hierarchy.
sub check
{
	my ($stream, $by, $show, $mode) = @_;
	my (@fields, %rows, %total, %printed);
	my @keys = map { [/^(\w+):?(.*)$/] } @$by;
	my @levels = $mode eq '--hierarchy' ? 1 .. @$by : '';
	my $joined = grep { $_->[0] eq 'event' } @keys;
	for (@$show) {
		push @fields, $1 if /\((\w+)\)/;
	}
	for my $sample (samples_of($stream, @fields, map { $_->[0] } @keys)) {
		my @values = map { bucket($sample->{ $_->[0] }, $_->[1]) } @keys;
		my $event = $joined ? '' : $sample->{event};
		push @{ $rows{ row_of($_, @values) }{$event} }, $sample for @levels;
		$total{$event} += $sample->{period} || 1;
	}
	my $command = "cat $stream | pk-report -q --no-children $mode --json --by='" . join(',', @$by) . "' --show='" . join(',', @$show) . "'";
	my $what = "seed $seed: $command";
	open(my $in, '-|', "($command) 2>/dev/null") or die;
	while (<$in>) {
		my %found = %{ members($_) };
		$found{$1} = $2 while /"([^"]+)":(-?[0-9.]+(?:e[-+]\d+)?)/g;
		my $row = row_of($found{level} // '', map { $found{$_} } @$by);
		my @events = $mode eq '--group' ? map { /^(.*)\.samples$/ ? $1 : () } keys %found : $joined ? '' : $found{event};
		if (!$rows{$row}) {
			print "$what\n  there is no such row: $_";
			$bad = 1;
			next;
		}
		for my $event (@events) {
			my @samples = @{ $rows{$row}{$event} || [] };
			my $prefix = $mode eq '--group' ? "$event." : '';
			$printed{$row}{$event} = 1;
			for my $name (@$show) {
				my $expected = expected($name, $total{$event}, @samples);
				next if is_same($found{"$prefix$name"}, $expected, $name =~ /^p\d/ ? 0.01 : 1e-9);
				print "$what\n  $prefix$name: expected ", $expected // 'nothing', " in $_";
				$bad = 1;
			}
		}
	}
	close $in;
	for my $row (keys %rows) {
		next if !grep { !$printed{$row}{$_} } keys %{ $rows{$row} };
		print "$what\n  a row is missing: ", $row =~ tr/\0/ /r, "\n";
		$bad = 1;
	}
}

for (1 .. $count) {
	my $stream = $streams[rand @streams];
	my @by = draw(1 + int(rand 4), @plain, 'time:10ms', 'time:1ms', 'ip:4096', 'depth:log2', 'period:log2');
	my @show = draw(1 + int(rand 5), 'share', 'samples', 'period');
	for (1 .. int(rand 5)) {
		my @kinds = qw(sum avg min max peak stddev count distinct first last p50 p90 p99 p99.9);
		push @show, $kinds[rand @kinds] . '(' . $numbers[rand @numbers] . ')';
	}
	push @show, (qw(distinct first last count))[rand 4] . '(' . $plain[rand @plain] . ')' if rand() < 0.3;
	my %seen;
	@show = grep { $_ ne 'period' } @show if grep { $_ eq 'period' } @by; # a column period_2
	@show = ('samples') if !@show;
	my $mode = ('', '', '--group', '--hierarchy')[rand 4];
	$mode = '' if $mode eq '--group' && grep { $_ eq 'event' } @by;
	unshift @show, 'samples' if $mode eq '--group';
	check($stream, \@by, [grep { !$seen{$_}++ } @show], $mode);
}
exit $bad;
