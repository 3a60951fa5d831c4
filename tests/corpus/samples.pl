#!/usr/bin/perl
# SPDX-License-Identifier: BSD-2-Clause
# samples.pl <DUMP: of what pk-script --dump says, one line for each event with samples: its name, how
# many they are, the sum of their periods, their callchain entries, and a sum over digests of all that
# stands in them: MD5("TIME PID TID CPU PERIOD IP ENTRY...") in hex, its first 8 bytes, little-endian.
use strict;
use warnings;
no warnings 'portable';
use Digest::MD5 'md5';

my ($sample, %field, @chain, %sum);

sub finish
{
	return if !$sample;
	my $sum = $sum{$field{event}} //= [0, 0, 0, 0];
	my @fields = map { sprintf "%x", $field{$_} // 0 } qw(time pid tid cpu period ip);

	$sum->[0]++;
	$sum->[1] += $field{period} // 0;
	$sum->[2] += @chain;
	use integer;
	$sum->[3] += unpack 'Q<', md5(join(' ', @fields) . ' ' . join(' ', @chain));
}

while (<>) {
	if (/^\d+ ([A-Z_0-9]+) type=/) {
		finish();
		$sample = $1 eq 'SAMPLE';
		%field = (event => '');
		@chain = ();
	} elsif ($sample && /^  ips\[\d+\]=0x([0-9a-f]+)/) {
		push @chain, $1;
	} elsif ($sample && /^  event=\d+ \((.*)\)$/) {
		$field{event} = $1;
	} elsif ($sample && /^  (time|pid|tid|cpu|period|ip)=(0x)?(-?\w+)/) {
		$field{$1} //= $2 ? hex $3 : $3 < 0 ? $3 & 0xffffffff : $3;
	}
}
finish();
for my $event (sort keys %sum) {
	printf "%s %d %d %d %u\n", $event, @{$sum{$event}};
}
