#!/usr/bin/perl
# SPDX-License-Identifier: BSD-2-Clause
# merge.pl RAW MERGED PERF: what pk-merge-callchains has made of a recording. RAW and MERGED are dumps of it before and
# after, PERF is what perf script printed of it. Who gets which user half is worked out from RAW alone, by cookie. Prints
# "samples deferred merged unmatched halves orphaned" and, of the samples, "same late cookies": where perf's chain is the
# same, where it lacks a user half that came ahead of the sample, and where it shows a cookie as an address, since no half
# came; then "executed": samples whose half came after their process executed a program, which perf gives them. Whatever is
# otherwise is told, and is a failure.
use strict;
use warnings;

my ($user, $deferred) = ('0xfffffffffffffe00', '0xfffffffffffffd80');
my $failed = 0;

sub complain { print STDERR "@_\n" if $failed++ < 10; }

# Records of a dump: type, fields, and the addresses.
sub read_dump {
	my ($file) = @_;
	my (@records, $record);
	open my $in, '<', $file or die "$file: $!\n";
	while (<$in>) {
		my $exec = /^\d+ COMM .*misc=0x2000 /;
		if (/^\d+ (SAMPLE|CALLCHAIN_DEFERRED|COMM) /) {
			push @records, $record = { type => $1, ips => [], exec => $exec };
		} elsif (/^\d/) {
			undef $record;
		} elsif ($record && /^  ips\[\d+\]=(0x[0-9a-f]+)/) {
			push @{ $record->{ips} }, $1;
		} elsif ($record && /^  ([\w.]+)=(\S+)/) {
			$record->{$1} = $2;
		}
	}
	return @records;
}

sub is_half { return @{ $_[0]{ips} } > 1 && $_[0]{ips}[-2] eq $deferred; }

# What a sample is known by; times as perf prints them.
sub name_of {
	my ($s) = @_;
	return sprintf '%s %d.%06d', $s->{tid}, $s->{time} / 1e9, $s->{time} % 1e9 / 1000;
}

# Without markers, as perf prints them.
sub plain { return join ' ', map { s/^0x//r } grep { !/^0xffffffffffff[f][0-9a-f]{3}$/ } @_; }

my @raw = read_dump($ARGV[0]);
my @merged = read_dump($ARGV[1]);
my (%halves, %used, %wanted, %chains, %cookie_of);
my ($samples, $half_samples, $matched, $halves) = (0, 0, 0, 0);
my (%execs, %executed, %half_time);
push @{ $execs{ $_->{pid} } }, $_->{'trailer.time'} for grep { $_->{type} eq 'COMM' && $_->{exec} } @raw;

for my $r (grep { $_->{type} eq 'CALLCHAIN_DEFERRED' } @raw) {
	$halves++;
	$halves{"$r->{'trailer.tid'} $r->{cookie}"} = $r->{ips};
	$half_time{"$r->{'trailer.tid'} $r->{cookie}"} = $r->{'trailer.time'};
}
for my $s (grep { $_->{type} eq 'SAMPLE' } @raw) {
	my @ips = @{ $s->{ips} };
	my $name = name_of($s);
	$samples++;
	if (is_half($s)) {
		my $key = "$s->{tid} $ips[-1]";
		$half_samples++;
		$cookie_of{$name}{ $ips[-1] =~ s/^0x//r } = 1;
		splice @ips, -2;
		my $time = $s->{time};
		if ($halves{$key} && grep { $time < $_ && $_ < $half_time{$key} } @{ $execs{ $s->{pid} } // [] }) {
			push @ips, 'flagged';
			$executed{$name} = 1;
		} elsif ($halves{$key}) {
			$matched++;
			$used{$key} = 1;
			push @ips, $user, @{ $halves{$key} };
		} else {
			push @ips, 'flagged';
		}
	}
	$wanted{"$name @ips"}++;
}
for my $s (@merged) {
	next if $s->{type} eq 'COMM';
	if ($s->{type} ne 'SAMPLE') {
		complain("a deferred record is left");
		next;
	}
	my @ips = @{ $s->{ips} };
	complain(name_of($s), ': a marker is left') if grep { $_ eq $deferred } @ips;
	push @{ $chains{ name_of($s) } }, plain(@ips);
	push @ips, 'flagged' if $s->{chain_flags};
	my $line = name_of($s) . " @ips";
	complain("not expected: $line") if !$wanted{$line}--;
}
complain("missing: $_") for grep { $wanted{$_} > 0 } sort keys %wanted;

# perf's own: blocks of a head and frames.
my ($same, $late, $cookies, $executed) = (0, 0, 0, 0);
sub compare_with_perf {
	my ($name, @ips) = @_;
	my $chain = "@ips";
	my $ours = $chains{$name};
	return complain("only perf has: $name") if !$ours || !@$ours;
	for my $i (0 .. $#$ours) {
		next if $ours->[$i] ne $chain;
		splice @$ours, $i, 1;
		return $same++;
	}
	for my $i (grep { $executed{$name} } 0 .. $#$ours) {
		next if index("$chain ", "$ours->[$i] ") != 0;
		splice @$ours, $i, 1;
		return $executed++;
	}
	my $cookie = pop @ips;
	return complain("$name: perf has $chain, not @$ours") if !$cookie_of{$name}{ $cookie // '' };
	$chain = "@ips";
	for my $i (0 .. $#$ours) {
		next if index("$ours->[$i] ", $chain eq '' ? '' : "$chain ") != 0;
		if ($ours->[$i] eq $chain) { $cookies++ } else { $late++ }
		splice @$ours, $i, 1;
		return;
	}
	complain("$name: perf has $chain, not @$ours");
}

my ($name, @frames);
open my $perf, '<', $ARGV[2] or die "$ARGV[2]: $!\n";
while (<$perf>) {
	if (/^\s*\S.*?\s+(-?\d+)\s+(?:\[\d+\]\s+)?(\d+\.\d{6}):\s/ && !/^\s+[0-9a-f]+ .* \(.*\)$/) {
		compare_with_perf($name, @frames) if $name;
		($name, @frames) = ("$1 $2");
	} elsif (/^\s+([0-9a-f]+) / && !/\(inlined\)$/) {
		push @frames, $1;
	}
}
compare_with_perf($name, @frames) if $name;
complain('not printed by perf: ' . join ' ', grep { @{ $chains{$_} } } sort keys %chains)
  if grep { @$_ } values %chains;

my $orphans = $halves - keys %used;
print "$samples $half_samples $matched ", $half_samples - $matched, " $halves $orphans $same $late $cookies $executed\n";
exit($failed ? 1 : 0);
