#!/usr/bin/perl
# SPDX-License-Identifier: BSD-2-Clause
# collapse.pl [--chains DUMP] [--exits TEXT] [FILE]: the text of perf script as folded stacks, sorted by bytes.
# stackcollapse-perf.pl's rules, but it also takes what that one cannot read: samples without a
# callchain, frames without an object, comms that begin with punctuation or have a semicolon (pk-fold
# makes it a colon). Inlined frames are left out.
#   --chains DUMP   what pk-script --dump says of the recording: frames whose address is in no
#                   callchain taken then, which perf worked out from registers, are left out too
#   --exits TEXT    what perf script --show-task-events says of it: a thread that it has forgotten when
#                   it exited, and calls ":TID" from then on, has the name that it had until then
use strict;
use warnings;
no warnings 'portable';

my (%chains, %exits, %count, $comm, $weight, $filter, $known, @stack);

sub read_chains
{
	my ($time, @chain);

	open(my $dump, '<', shift) or die "$!\n";
	while (<$dump>) {
		if (/^\d+ SAMPLE /) {
			undef $time;
		} elsif (/^  time=(\d+)/) {
			$time = substr("0000000000$1", 0, -3) + 0;
		} elsif (/^  ips\[\d+\]=(0x[0-9a-f]+)/) {
			$chains{$time}{hex($1)} = 1;
		}
	}
}

sub read_exits
{
	open(my $text, '<', shift) or die "$!\n";
	while (<$text>) {
		$exits{":$2"} = $1 if /^\s*(\S.*?)\s+(\d+)\s+(?:\[\d+\]\s+)?\d+\.\d+: PERF_RECORD_EXIT\(/;
	}
}

# The names that one frame stands for, root first.
sub names
{
	my ($function, $object) = @_;
	my @names;

	$function =~ s/\+0x[0-9a-f]+$//;
	return () if $function =~ /^\(/;
	for my $name (split /->/, $function) {
		if ($name eq '[unknown]') {
			$object =~ s/ \(deleted\)$//;
			$object =~ s|.*/||;
			$name = $object eq '[unknown]' ? $object : "[$object]";
		}
		$name =~ s/;/:/g;
		$name =~ s/\((?!anonymous namespace\)).*// unless $name =~ /\.\(.*\)\./;
		$name =~ tr/"'//d;
		$name .= '_[i]' if @names && $name !~ /_\[i\]/;
		push @names, $name;
	}
	return @names;
}

sub finish
{
	$count{join(';', $comm, @stack)} += $weight if defined $comm;
	undef $comm;
	@stack = ();
}

while (@ARGV && $ARGV[0] =~ /^--(chains|exits)$/) {
	shift;
	$1 eq 'chains' ? read_chains(shift) : read_exits(shift);
}
while (<>) {
	chomp;
	if (/^\s*(\S.*?)\s+(-?\d+)\s+(?:\[\d+\]\s+)?(\d+)\.(\d{6}):\s+(?:(\d+)\s+)?(\S+):(?:\s|$)(.*)/) {
		my ($name, $seconds, $micro, $period, $event, $rest) = ($1, $3, $4, $5, $6, $7);

		finish();
		$filter //= $event if $period;
		next if $period && $event ne $filter;
		($comm, $weight) = ($exits{$name} // $name, $period || 1);
		$comm =~ tr| ;|_:|;
		$known = %chains ? $chains{"$seconds$micro" + 0} : undef;
		# Where there is no callchain the address stands in the same line.
		@stack = names($1, $2) if $rest =~ /^\s*[0-9a-f]+ (.+) \((.*)\)$/;
	} elsif (/^\s*([0-9a-f]+) (.+?)(?: \(([^()]*(?:\(deleted\))?)\))?$/) {
		next if !defined $comm || ($3 // '') eq 'inlined' || $known && !$known->{hex($1)};
		unshift @stack, names($2, $3 // '[unknown]');
	} elsif (!/^$/) {
		die "line $.: $_\n";
	}
}
finish();
print "$_ $count{$_}\n" for sort keys %count;
