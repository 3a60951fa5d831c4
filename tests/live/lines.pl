#!/usr/bin/perl
# SPDX-License-Identifier: BSD-2-Clause
# lines.pl ADDR2LINE PK [places]: compares what addr2line -a -f -i -C printed with what pk-script -F ip,sym,srcline
# did, address by address: how many functions, the names of those that are inlined, files and lines of all.
# Only those with places, as demanglers differ. Prints what differs, and how many were the same.
use strict;
use warnings;
no warnings 'portable';

my ($expected, $actual, $places) = @ARGV;
my (%want, $at);
open my $in, '<', $expected or die "$expected: $!";
while (<$in>) {
	chomp;
	if (/^0x([0-9a-f]+)$/) {
		$at = $want{hex $1} = [];
		next;
	}
	my $function = $_;
	my $place = <$in>;
	chomp $place;
	$place =~ s/ \(discriminator \d+\)$//;
	$place =~ s{^.*/}{};
	push @$at, [$function, $place];
}
my %got;
open $in, '<', $actual or die "$actual: $!";
while (<$in>) {
	if (/^\s+([0-9a-f]+) (.*)$/) {
		my ($ip, $name) = (hex($1) & 0xffffffffff, $2);
		$name =~ s/ \(inlined\)$//;
		$at = $got{$ip} //= [];
		push @$at, [$name, ''];
	} elsif (/^  (\S.*)$/) {
		(my $place = $1) =~ s/ \(inlined\)$//;
		$at->[-1][1] = $place;
	}
}
my ($same, $inlined) = (0, 0);
for my $address (sort { $a <=> $b } keys %want) {
	my @w = @{$want{$address}};
	my @g = @{$got{$address} // []};
	# What has no line number is told in several ways.
	for (@w, @g) {
		$_->[1] = '' if $_->[1] !~ /:[1-9]\d*$/;
		$_->[1] =~ s/:\d+\K:\d+$//;
	}
	# addr2line of binutils takes the name of the whole unit for that of a file, under LTO.
	for (0 .. $#w) {
		$w[$_][1] =~ s/^<artificial>:// && $g[$_] and $g[$_][1] =~ s/^.*://;
	}
	# Now and then it takes the symbol, which is what the function at the other end has, for the innermost one.
	$w[0][0] = $g[0][0] if @w > 1 && @g > 1 && $w[0][0] eq $g[-1][0];
	$_->[0] = '' for $places ? (@w, @g) : ();
	$w[-1][0] = $g[-1][0] = '';    # a symbol, with its version and its clones
	my ($w, $g) = map { join ' < ', map { "$_->[0] $_->[1]" } @$_ } \@w, \@g;
	if ($w eq $g) {
		$same++;
		$inlined++ if @w > 1;
	} else {
		printf "%#x: addr2line: %s\n%s pk: %s\n", $address, $w, ' ' x 10, $g;
	}
}
print "$same $inlined\n";
