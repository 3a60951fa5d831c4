# SPDX-License-Identifier: BSD-2-Clause
# fields_agree.pl SEED COUNT STREAM...: draws combinations of a stream, a field and a place, and compares
# the values that the place has with the members of pk-script --json. Exit status 1 if one differs.
use strict;
use warnings;

my ($seed, $count, @streams) = @ARGV;
srand($seed);
my ($bad, $done, %known, %tried) = (0, 0);

# Prints what differs, and how to run it again.
sub complain
{
	my ($what, $expected, $found) = @_;
	print "seed $seed: $what\n  expected: $expected\n  found:    $found\n";
	$bad = 1;
}

sub quoted
{
	my $text = shift;
	$text =~ s/'/'\\''/g;
	return "'$text'";
}

# The value of each sample, undef where it has none. Strings lose their quotation marks.
sub values_of
{
	my ($stream, $field) = @_;
	return $known{$stream}{$field} if $known{$stream}{$field};
	my @values;
	open(my $in, '-|', 'pk-script -q --json -F ' . quoted($field) . ' ' . quoted($stream) . ' 2>/dev/null') or die;
	while (<$in>) {
		next unless /^\{"type":"SAMPLE"/;
		my $name = $field eq 'sym' ? 'symbol' : $field;
		my $value;
		if (/[{,]"\Q$name\E":"((?:[^"\\]|\\.)*)"/) {
			$value = $1;
			return $known{$stream}{$field} = [] if $value =~ /\\/; # compared as plain text only
		} elsif (/[{,]"\Q$name\E":(-?[0-9]+)/) {
			$value = $1;
		}
		push @values, $value;
	}
	close $in;
	return $known{$stream}{$field} = \@values;
}

sub counts
{
	my %counts;
	$counts{defined $_ ? $_ : ''}++ for @_;
	return join(' ', map { "$_=$counts{$_}" } sort keys %counts);
}

sub is_number
{
	return $_[0] =~ /^(-?[0-9]+|0x[0-9a-f]+)$/;
}

sub number
{
	return $_[0] =~ /^0x/ ? do { no warnings 'portable'; hex($_[0]) } : $_[0];
}

my %text = map { $_ => 1 } qw(mode event comm comm_nodigit dso language symbol srcline srcfile cgroup host mem mem_op snoop tlb locked blocked
	data_symbol data_dso branch_from branch_to branch_from_dso branch_to_dso mispredict in_tx branch_abort);

# pk-filter --where 'FIELD == VALUE' keeps as many samples as have the value; != keeps the others.
sub place_where
{
	my ($stream, $field, $values) = @_;
	# "stack" is any frame; with counter values, a sample counts for what they have grown by.
	return 0 if $field eq 'stack' || ($field eq 'period' && $stream =~ /sample-/);
	my @have = grep { defined } @$values or return 0;
	my $value = $have[rand @have];
	my $text = !is_number($value) || $text{$field} || $field =~ /comm|name/;
	return 0 if $value =~ /["'*?\[\\]/;
	for my $op ('==', '!=') {
		my $where = "$field $op " . ($text ? "\"$value\"" : $value);
		my $expected = grep { $op eq '==' ? $_ eq $value : $_ ne $value } @have;
		my $found = `pk-filter -q --where ${\quoted($where)} ${\quoted($stream)} 2>/dev/null | pk-script -q --json 2>/dev/null | grep -c '^{"type":"SAMPLE"'`;
		chomp $found;
		complain("$stream: --where $where", $expected, $found) if $found != $expected;
	}
	return 1;
}

# A file for each value.
sub place_split
{
	my ($stream, $field, $values) = @_;
	my %files;
	return 0 if !@$values || $field eq 'stack' || ($field eq 'period' && $stream =~ /sample-/);
	$files{defined $_ ? $_ : "\0"}++ for @$values;
	return 0 if keys %files > 200;
	system("rm -rf split && mkdir split && pk-filter -q --split-by ${\quoted($field)} -o 'split/%v.pk' ${\quoted($stream)} 2>/dev/null");
	my @found;
	for my $file (glob('split/*.pk')) {
		my $n = `pk-script -q --json ${\quoted($file)} 2>/dev/null | grep -c '^{"type":"SAMPLE"'`;
		push @found, $n + 0;
	}
	my ($e, $f) = (join(' ', sort { $a <=> $b } values %files), join(' ', sort { $a <=> $b } @found));
	complain("$stream: --split-by $field: samples of the files", $e, $f) if $e ne $f;
	return 1;
}

# Before the frames of folded lines.
sub place_by
{
	my ($stream, $field, $values) = @_;
	my %folded;
	return 0 if !@$values || $field =~ /^(stack|comm|period|parallelism)$/;
	open(my $in, '-|', "cat ${\quoted($stream)} | pk-fold -q --event '*' --weight samples --by ${\quoted($field)} 2>/dev/null") or die;
	while (<$in>) {
		/^\Q$field\E=([^;]*?)(?:;.*)? ([0-9]+)$/ or do { complain("$stream: --by $field", 'a value', $_); next };
		$folded{$1} += $2;
	}
	close $in;
	my @expected = map { my $v = defined $_ ? $_ : 'unknown'; $v =~ tr/ ;/_:/; $v } @$values;
	# Times are printed in seconds.
	@expected = map { /^\d+$/ ? sprintf('%d.%09d', $_ / 1e9, $_ % 1e9) : $_ } @expected if $field eq 'time';
	my ($e, $f) = (counts(@expected), join(' ', map { "$_=$folded{$_}" } sort keys %folded));
	# Numbers of kinds that have texts, such as states of tasks: each text stands for one number.
	if (grep { is_number($_) } @expected and grep { !is_number($_) && $_ ne 'unknown' } keys %folded and $field ne 'time') {
		my %numbers;
		$numbers{$_}++ for @expected;
		($e, $f) = map { join(' ', sort { $a <=> $b } values %$_) } \%numbers, \%folded;
	}
	complain("$stream: --by $field", $e, $f) if $e ne $f;
	return 1;
}

# What pk-fold adds up.
sub place_weight
{
	my ($stream, $field, $values) = @_;
	my ($expected, $found) = (0, 0);
	my @have = grep { defined } @$values;
	return 0 if !@have || $text{$field} || $field =~ /^(period|parallelism|stack)$/ || grep { !is_number($_) } @have;
	for (@have) {
		my $value = number($_);
		$expected += $value if $value > 0;
	}
	return 0 if $expected >= 2**53;
	open(my $in, '-|', "cat ${\quoted($stream)} | pk-fold -q --event '*' --weight ${\quoted($field)} 2>/dev/null") or die;
	while (<$in>) {
		$found += $1 if / ([0-9]+)$/;
	}
	close $in;
	complain("$stream: --weight $field", $expected, $found) if $expected != $found;
	return 1;
}

# Numbers of kinds that have texts, such as states of tasks: replaces a text by the number for which alone it stands.
sub with_numbers
{
	my ($values, $texts) = @_;
	my (%number, %text);
	for my $i (0 .. $#$values) {
		my ($value, $text) = ($values->[$i], $texts->[$i]);
		next unless defined $value && defined $text && is_number($value) && !is_number($text);
		$number{$text} //= $value;
		$text{$value} //= $text;
		return @$texts if $number{$text} ne $value || $text{$value} ne $text;
	}
	return map { defined $_ && exists $number{$_} ? $number{$_} : $_ } @$texts;
}

# A column of pk-script's text.
sub place_column
{
	my ($stream, $field, $values) = @_;
	return 0 if !@$values || $field =~ /^(comm|tid|cpu|misc|tod|time|period|event|flags|trace|addr|data_src|weight|ins_lat|retire_lat|cgroup|ip|iregs|uregs|brstack|brstacksym|phys_addr|data_page_size|code_page_size|pid|sym|symbol|symoff|dso|dsoff|srcline|stack)$/;
	my @found;
	open(my $in, '-|', "pk-script -q -F ${\quoted($field)} ${\quoted($stream)} 2>/dev/null") or die;
	while (<$in>) {
		push @found, $1 eq '?' ? undef : $1 if /^\Q$field\E=(.*) $/;
	}
	close $in;
	@found = with_numbers($values, \@found);
	my ($e, $f) = (join('|', map { defined $_ ? $_ : '?' } @$values), join('|', map { defined $_ ? $_ : '?' } @found));
	complain("$stream: -F $field", $e, $f) if $e ne $f;
	return 1;
}

# The same value under the tracepoint's own name.
sub place_trace
{
	my ($stream, $field, $values, $own) = @_;
	return 0 unless $own;
	my ($e, $f) = (counts(@$values), counts(@{values_of($stream, "trace.$field")}));
	complain("$stream: trace.$field", $e, $f) if $e ne $f;
	return 1;
}

my @places = (\&place_where, \&place_split, \&place_by, \&place_weight, \&place_column, \&place_trace);
my (@fields, %own);

open(my $doc, '<', "$ENV{PK_TOP}/docs/fields.md") or die;
while (<$doc>) {
	last if /^## Fields of tracepoints/;
	push @fields, $1 if /^\| `([a-z_]+)` \| /;
}
close $doc;
@fields = grep { !/^type/ && $_ ne 'symoff' } @fields; # these need the recorded files

for my $stream (@streams) {
	my %names;
	open(my $in, '-|', 'pk-script -q --json ' . quoted($stream) . ' 2>/dev/null') or die;
	while (<$in>) {
		next unless /"fields":\{(.*?)\}/;
		my $list = $1;
		$names{$1} = 1 while $list =~ /"([A-Za-z_0-9]+)":/g;
	}
	close $in;
	$own{$stream} = [grep { my $n = $_; !grep { $_ eq $n } @fields } sort keys %names];
}

for (my $draws = 0; $done < $count && $draws < 100 * $count; $draws++) {
	my $stream = $streams[rand @streams];
	my @own = @{$own{$stream}};
	my $own = @own && rand() < 0.4;
	my $field = $own ? $own[rand @own] : $fields[rand @fields];
	my $place = int(rand @places);
	my $values = values_of($stream, $field);
	next if !@$values;
	$done++ if $places[$place]->($stream, $field, $values, $own);
}
print "seed $seed: $done combinations compared\n";
exit($bad || $done < $count);
