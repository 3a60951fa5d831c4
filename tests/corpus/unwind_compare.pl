#!/usr/bin/perl
# SPDX-License-Identifier: BSD-2-Clause
# unwind_compare.pl [-v] [-s] [-f] OURS THEIRS: two texts of perf script or pk-script with
# callchains, sample by sample, by their addresses. Prints how many samples are equal, and of the others
# how many differ in which way; with -v an example of each. Stacks are cut at 127 frames, as perf
# does it; inlined functions are left out. "signed": theirs has an address of arm64 with its signature,
# behind which perf only guesses. -s: not the addresses count but what is there, and the frame at -1 does not
# that libunwind, in perf 6.1, ends a stack with whose dump has ended. -f: a function that has two names is
# printed by perf as inlined; frames of one address in a row count once, whatever they are called.
use strict;
use warnings;
no warnings 'portable';

my ($verbose, $symbols, $one_frame, $limit) = (0, 0, 0, 127);
while (@ARGV && $ARGV[0] =~ /^-/) {
	my $option = shift;
	$verbose = 1 if $option eq '-v';
	$symbols = 1 if $option eq '-s';
	$one_frame = 1 if $option eq '-f';
}

sub read_samples
{
	my ($name) = @_;
	my (@samples, $sample);
	my $last = '';
	open(my $in, '<', $name) or die "$name: $!\n";
	while (<$in>) {
		if (/^\s+([0-9a-f]+) (.*)$/ && $sample) {
			next if $one_frame ? $1 eq $last : $2 =~ /\(inlined\)$/ || ($symbols && $1 eq 'f' x 16);
			$last = $1;
			$sample->{signed} = 1 if $1 =~ /^[0-9a-f]{2}ffff[0-9a-f]{8}$|^[0-9a-f]{2}aaaa[0-9a-f]{8}$/;
			push @{ $sample->{ips} }, $symbols ? $2 : $1 if @{ $sample->{ips} } < $limit;
			push @{ $sample->{text} }, $_;
		} elsif (/^\s*\S.*?\s+(\d+(?:\/\d+)?)\s+(?:\[\d+\]\s+)?([0-9.]+):/) {
			push @samples, $sample = { key => "$1 $2", ips => [], text => [$_] };
			$last = '';
		}
	}
	return \@samples;
}

# How ours differs from theirs.
sub compare
{
	my ($ours, $theirs) = @_;
	my $n = 0;
	$n++ while $n < @$ours && $n < @$theirs && $ours->[$n] eq $theirs->[$n];
	return 'equal' if $n == @$ours && $n == @$theirs;
	return 'ours goes on' if $n == @$theirs;
	return 'theirs goes on' if $n == @$ours;
	return 'other';
}

my ($ours, $theirs) = (read_samples($ARGV[0]), read_samples($ARGV[1]));
my (%count, %example);
die "not as many samples: ${\scalar @$ours}, ${\scalar @$theirs}\n" if @$ours != @$theirs;
# Equal times may stand in either order.
for my $list ($ours, $theirs) {
	@$list = sort { $a->{key} cmp $b->{key} } @$list;
}
for my $i (0 .. $#$ours) {
	die "not the same samples: $ours->[$i]{key}, $theirs->[$i]{key}\n"
		if $ours->[$i]{key} ne $theirs->[$i]{key};
	my $how = $theirs->[$i]{signed} ? 'signed' : compare($ours->[$i]{ips}, $theirs->[$i]{ips});
	$count{$how}++;
	$example{$how} //= $i;
}
print "samples ", scalar @$ours, "\n";
print "$_ $count{$_}\n" for sort keys %count;
for my $how (grep { $verbose && $_ ne 'equal' } sort keys %example) {
	my $i = $example{$how};
	print "== $how: ours\n", @{ $ours->[$i]{text} }, "== theirs\n", @{ $theirs->[$i]{text} };
}
