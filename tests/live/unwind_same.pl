#!/usr/bin/perl
# SPDX-License-Identifier: BSD-2-Clause
# unwind_same.pl OURS THEIRS NAME [LEAST]: compares the callchains of the same samples in two streams: those that the kernel has
# unwound, and those of pk-unwind. At least LEAST percent (99) are equal, or all but two. Of the others, the shorter one has a flag that
# says why it ends, and is the start of the longer one. Prints the numbers; status 1 if it is not so.
use strict;
use warnings;

use constant ENDS => 0x1f;    # chain flags: callers are missing at the end

sub chains
{
	my ($file) = @_;
	my (%chains, $chain, $tid);

	open my $dump, '-|', "pk-script -q --dump '$file'" or die;
	while (<$dump>) {
		if (/^\d+ (\w+)/) {
			$chain = $1 eq 'SAMPLE' ? {ips => [], flags => 0} : undef;
		} elsif (!$chain) {
			next;
		} elsif (/^  tid=(\d+)/) {
			$tid = $1;
		} elsif (/^  time=(\d+)/) {
			$chains{"$1 $tid"} = $chain;
		} elsif (/^  ips\[\d+\]=0x([0-9a-f]+)(?: |$)/) {
			push @{$chain->{ips}}, $1 unless /\(/;    # marks of contexts
		} elsif (/^  chain_flags=0x([0-9a-f]+)/) {
			$chain->{flags} = hex $1;
		}
	}
	return \%chains;
}

my ($ours, $theirs) = map { chains($_) } @ARGV[0, 1];
my ($equal, $marked, $cut, @wrong, %flags) = (0, 0, 0);
for my $sample (sort keys %$ours) {
	my ($x, $y) = ($ours->{$sample}, $theirs->{$sample});
	my ($one, $two) = map { join ' ', @{$_->{ips}} } $x, $y // {ips => []};

	if ($y && $one eq $two) {
		$equal++;
	} elsif ($y && $x->{flags} & ENDS && index("$two ", $one ? "$one " : '') == 0) {
		$marked++;
		$flags{sprintf '0x%x', $x->{flags}}++;
	} elsif ($y && $y->{flags} & ENDS && index("$one ", $two ? "$two " : '') == 0) {
		$cut++;
	} else {
		push @wrong, sprintf "%s, flags %x:\n  %s\nbeside flags %x:\n  %s\n", $sample, $x->{flags}, $one, $y ? $y->{flags} : 0, $two;
	}
}
my $all = keys %$ours;
printf "%s: %d of %d equal, %d end earlier%s, %d end earlier in pk-unwind, %d wrong\n", $ARGV[2], $equal, $all, $marked,
	join('', map { " ($_: $flags{$_})" } sort keys %flags), $cut, scalar @wrong;
print @wrong[0 .. ($#wrong < 2 ? $#wrong : 2)];
exit(@wrong || ($marked > 2 && $marked > (100 - ($ARGV[3] // 99)) / 100 * $all));
