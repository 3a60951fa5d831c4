# SPDX-License-Identifier: BSD-2-Clause
# types.pl SOURCE LISTING: what the "touches:" lines of SOURCE say of a function is what
# pk-annotate --types has printed of it: each of them, and of structures nothing else. Prints how
# many functions were compared; exit status 1 where one differs.
use strict;
use warnings;

my (%touches, %found, $function, $failed);
open my $source, '<', $ARGV[0] or die "$ARGV[0]: $!";
while (<$source>) {
	next unless m|/\* touches: (\S+): (.*) \*/|;
	my $name = $1;
	$touches{$name}{$_} = 1 for split /; /, $2;
}
open my $listing, '<', $ARGV[1] or die "$ARGV[1]: $!";
while (<$listing>) {
	$function = $1 if /^ Percent \| ([\w:]+)/;
	$found{$function}{$1}++ if defined $function && /# data-type: (.*)$/;
}
for my $name (sort keys %touches) {
	my ($want, $is) = ($touches{$name}, $found{$name} // {});
	my %may = map { $_ => 1 } map { split /\|/ } keys %$want;
	for (sort keys %$want) {
		next if grep { $is->{$_} } split /\|/;
		print "$name: not found: $_\n";
		$failed = 1;
	}
	for (sort keys %$is) {
		# Numbers and pointers, and what is on the stack, depend on what is kept in registers.
		next if $may{$_} || !/ \(/ || /^\(/;
		print "$name: found: $_\n";
		$failed = 1;
	}
}
print scalar(keys %touches), " functions\n";
exit($failed ? 1 : 0);
