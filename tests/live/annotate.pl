#!/usr/bin/perl
# SPDX-License-Identifier: BSD-2-Clause
# annotate.pl --list PERF, annotate.pl PERF PK [least]: compares what perf annotate --stdio printed with what pk-annotate --min-percent 0 did,
# event by event, object by object, address by address: each share is the same within what rounding makes of it.
# PERF may be what --list made of it: a line for each share, EVENT OBJECT ADDRESS and a tab in front of it.
# Prints what differs, and how many shares (other than 0) were the same; fails if anything differs or
# less than so many shares (100) were compared.
use strict;
use warnings;
no warnings 'portable';

my $list = @ARGV && $ARGV[0] eq '--list' ? shift @ARGV : '';
my ($expected, $actual, $least) = @ARGV;

# {event object address} -> [share...], in what either prints
sub shares
{
	my ($file) = @_;
	my (%share, $where, $events);
	open my $in, '<', $file or die "$file: $!";
	while (<$in>) {
		if (/^ Percent\s+\|\tSource code & Disassembly of (\S+) for (.*) \([\d]+ samples/) {
			my ($object, $event) = ($1, $2);
			$event =~ s/^anon group \{ (.*) \}$/$1/;
			$object =~ s{.*/}{};
			# A sample in the vDSO, which perf copies to a file and pk does not disassemble.
			$where = $object =~ /^perf-vdso/ ? '' : "$event $object";
		} elsif (/^ Percent\s*\| .*?  (\/.*?|\S+)(?:  [0-9a-f]+-[0-9a-f]+)?$/) {
			$where = '';
			($events, my $object) = ('', $1 =~ s{.*/}{}r);
			while (defined($_ = <$in>) && /^\s+\| (.*): [\d,]+ samples/) {
				$events .= ($events ne '' ? ', ' : '') . $1;
			}
			$where = "$events $object";
		} elsif (/^(\S.*) ([0-9a-f]+)\t([\d. ]+)$/) {
			$share{"$1 " . hex $2} = [split ' ', $3];
		} elsif (/^((?:\s+\d+\.\d\d)+) :\s+([0-9a-f]+):/) {
			my @shares = split ' ', $1;
			next if !$where;
			my $key = "$where " . hex $2;
			# A function under two names comes twice.
			$share{$key} = \@shares if !$share{$key} || grep { $_ > 0 } @shares;
		}
	}
	# Modifiers of an event's name depend on the kind of file.
	my %plain;
	@plain{map { s/:[A-Za-z]+(?=[, ])//gr } keys %share} = values %share;
	return \%plain;
}

my ($perf) = shares($expected);
if ($list) {
	for (sort keys %$perf) {
		my ($where, $address) = /^(.*) (\d+)$/;
		printf "%s %x\t%s\n", $where, $address, "@{$perf->{$_}}" if grep { $_ > 0 } @{$perf->{$_}};
	}
	exit 0;
}
my ($pk) = shares($actual);
my ($same, $bad) = (0, 0);
for my $key (sort keys %$perf) {
	my @want = @{$perf->{$key}};
	next if !grep { $_ > 0 } @want;
	my $got = $pk->{$key};
	my $differs = !$got || @$got != @want;
	for my $i (0 .. $#want) {
		last if $differs;
		$differs = abs($want[$i] - $got->[$i]) > 0.0101;
	}
	if ($differs) {
		my ($where, $address) = $key =~ /^(.*) (\d+)$/;
		printf "%s %x: %s, not %s\n", $where, $address, $got ? "@$got" : 'nothing', "@want"
			if ++$bad <= 20;
	} else {
		$same++;
	}
}
for my $key (sort keys %$pk) {
	next if $pk->{$key}[0] < 0.01; # of a group, perf has functions with samples of its leader
	next if $perf->{$key} || $key =~ / \[vdso\] /; # of which perf shows nothing
	my ($where, $address) = $key =~ /^(.*) (\d+)$/;
	printf "%s %x: %s, where perf has none\n", $where, $address, "@{$pk->{$key}}" if ++$bad <= 20;
}
print "$same shares the same, $bad not\n";
exit($bad || $same < ($least || 100) ? 1 : 0);
