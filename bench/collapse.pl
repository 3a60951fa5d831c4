#!/usr/bin/perl
# SPDX-License-Identifier: BSD-2-Clause
#
# collapse.pl <TEXT >FOLDED: folds what perf script prints, as stackcollapse-perf.pl does, which Debian does
# not have. Written from a description of that program's results, without its options; its cost is that of a
# plain reading of lines with regular expressions.
use strict;
use warnings;

my (%count, @stack, $comm, $period, $event);

while (my $line = <STDIN>) {
	next if $line =~ /^#/;
	chomp $line;
	if ($line eq '') {
		next unless defined $comm;
		$count{join(';', $comm, @stack)} += $period;
		@stack = ();
		undef $comm;
	} elsif ($line =~ /^(\S.+?)\s+(\d+)\/*(\d+)*\s+/) {
		my $name = $1;
		$period = 1;
		if ($line =~ /:\s*(\d+)*\s+(\S+):\s*$/) {
			$event = $2 unless defined $event;
			next if $event ne $2;
			$period = $1 || 1;
		}
		($comm = $name) =~ tr/ /_/;
	} elsif ($line =~ /^\s*(\w+)\s*(.+) \((.*)\)/) {
		next unless defined $comm;
		my ($function, $module) = ($2, $3);
		$function =~ s/\+0x[\da-f]+$//;
		next if $function =~ /^\(/;
		my @parts;
		for my $part (split /->/, $function) {
			if ($part eq '[unknown]') {
				$part = $module ne '[unknown]' ? $module : 'unknown';
				$part =~ s{.*/}{};
				$part = "[$part]";
			}
			$part =~ tr/;/:/;
			$part =~ s/\((?!anonymous namespace\)).*// if $part !~ /\.\(.*\)\./;
			$part =~ tr/"'//d;
			$part =~ s/^L(?=.*\/)// if $comm =~ /^java/;
			$part .= '_[i]' if @parts && $part !~ /_\[i\]/;
			push @parts, $part;
		}
		unshift @stack, @parts;
	} else {
		warn "unrecognized line: $line\n";
	}
}
print "$_ $count{$_}\n" for sort keys %count;
