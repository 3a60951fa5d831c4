#!/usr/bin/perl
# SPDX-License-Identifier: BSD-2-Clause
# lines.pl PERF PK: compares inlined functions and lines, address by address of every sample. Prints how many
# addresses were the same and how many differ by each rule; what no rule explains goes to stderr, and makes the
# status 1. The rules are told in docs/symbols.md:
#   caller   the address is one that is returned to: pk says where the call is; also where
#            a function is called by itself from the address that it is at
#   alias    what perf calls inlined is the symbol by another name, without any line; or a clone's name
#   more     perf has missed what is inlined there, and says the innermost line for the function around it
#   unnamed  the same places; an inlined function that perf has no name for, so that it names the one around
#            it, or it takes the symbol for the innermost one
use strict;
use warnings;

# A sample is a list of [ip, frame...], a frame is [name, line].
sub samples
{
	my ($path) = @_;
	my (@samples, $sample, $frame);
	open my $in, '<', $path or die "$path: $!";
	while (<$in>) {
		if (/^\t\s*([0-9a-f]+) (.*)$/) {
			my ($ip, $name) = ($1, $2);
			$name =~ s/ \(inlined\)$//;
			$name =~ s{ \([/\[][^()]*\)$}{};
			$frame = [$name, ''];
			my $last = $sample->[-1];
			if ($last && $last->[0] eq $ip && $last->[-1][1] ne '') {
				push @$last, $frame;
			} else {
				push @$sample, [$ip, $frame];
			}
		} elsif (/^  (\S.*)$/ && $frame) {
			($frame->[1] = $1) =~ s/ \(inlined\)$//;
		} elsif (/^\S/) {
			push @samples, $sample = [];
			$frame = undef;
		}
	}
	return @samples;
}

# Without what a compiler's clone of a function has behind its name, and without the offset.
sub plain
{
	my ($name) = @_;
	$name =~ s/\+0x[0-9a-f]+$//;
	$name =~ s/ \[clone [^]]*\]//g;
	$name =~ s/(?: \()?\.(?:constprop|isra|part|cold)[.\d]*\)?//g;
	return $name;
}

sub places
{
	return join ' < ', map { known($_->[1]) } @_;
}

sub known
{
	my ($line) = @_;
	return $line =~ /:[1-9]\d*$/ && $line !~ /^\?\?/ ? $line : '';
}

sub text
{
	return join ' < ', map { "$_->[0] " . known($_->[1]) } @_;
}

my @perf = samples($ARGV[0]);
my @pk = samples($ARGV[1]);
die scalar(@perf) . ' samples, not ' . scalar(@pk) . "\n" if @perf != @pk;
my %count = (same => 0, caller => 0, alias => 0, more => 0, unnamed => 0);
my $status = 0;
for my $i (0 .. $#perf) {
	my ($perf, $pk) = ($perf[$i], $pk[$i]);
	my %of = map { $_->[0] => $_ } @$pk;
	for my $k (0 .. $#$perf) {
		my ($ip, @want) = @{$perf->[$k]};
		my (undef, @got) = @{$of{$ip} // [0, ['-', '']]};
		my @lines = grep { known($_->[1]) } @want;
		my $base = $want[-1][0];
		my %seen;
		if (text(@want) eq text(@got)) {
			$count{same}++;
		} elsif (!@lines && !grep { known($_->[1]) } @got) {
			$count{alias}++;
		} elsif (places(@want) eq places(@got) &&
			!grep { plain($want[$_][0]) ne plain($got[$_][0]) } 0 .. $#want) {
			$count{alias}++;
		} elsif (@want > 1 && @want == @got && places(@want) eq places(@got)) {
			$count{unnamed}++;
		} elsif (@want == 1 && @got > 1 && $want[0][1] eq $got[0][1] && $base eq $got[-1][0]) {
			$count{more}++;
		} elsif ($k > 0 || grep { $seen{$_->[0]}++ } @got) {
			$count{caller}++;
		} else {
			print STDERR "$ip: perf: " . text(@want) . "\n    pk: " . text(@got) . "\n";
			$status = 1;
		}
	}
}
print join(' ', map { "$_=$count{$_}" } qw(same caller alias more unnamed)) . "\n";
exit $status;
