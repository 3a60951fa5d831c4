#!/usr/bin/perl
# SPDX-License-Identifier: BSD-2-Clause
# script-lines.pl EXPECTED ACTUAL [RULE...]: perf's text of a recording and ours, line by line. A line
# that differs must be explained by a rule, for which there must be a reason in docs/perf-script.md;
# prints how many lines are the same, how many each rule explains, and how many are left ("other"; the
# first of them on stderr). The rules:
#
#   exits=FILE   a task's sample behind its EXIT, of which FILE has lines "TID TIME": perf knows neither
#                its name nor its maps any more
#   links=FILE   perf adds the caller of an arm64 function from the link register, whose values FILE
#                has, one a line for each sample
#   inlines      perf calls a function inlined whose name in the debugging information is not the
#                symbol's; and the few where the names of inlined ones, or how many there are, differ
#   vdso         perf has looked vdso frames up in the wrong vdso
#   unwound      perf has unwound user space
#   late         perf prints the cookie of a deferred callchain as an address where the sample was taken after
#                the callchain's record; ours has the callchain
#   executed     of a merged recording: perf gives a sample in execve the name and the maps of the program that ran when its
#                user half came, and the user half; ours has the name and the maps of the sample's time, and no user
#                half of another program
#   narrow       perf 6.1 has printed it, which gives a thread's number two columns less
#
# Without being asked for: "own", the sample's own ip, where its callchain has no address; "empty", lines in place of the frames of a deferred callchain, and "plt", an
# entry of a procedure linkage table that perf has no name for, and "sizeless", code after __tls_get_offset, a symbol of s390x without
# a size, which perf extends to the next symbol.
use strict;
use warnings;
no warnings 'portable'; # numbers of 64 bits

my ($expected, $actual, @rules) = @ARGV;
my %rule = map { my ($name, $value) = split /=/, $_, 2; ($name, $value // 1) } @rules;
my %count = map { $_ => 0 } qw(same exited inlined link vdso unwound late executed own empty plt sizeless other);
my @e = lines($expected);
my @a = lines($actual);
my (%exit, @link);
my ($sample, $exited, $executed, $deferred, $inline) = (-1, 0, 0, 0, '');
my ($i, $j) = (0, 0);

sub lines
{
	open my $file, '<', $_[0] or die "$_[0]: $!\n";
	chomp(my @lines = <$file>);
	return @lines;
}

if ($rule{narrow}) {
	s/^(.*?\S) ( {0,4}-?\d{1,5}) (?=(?:\[\d+\] )? *\d+\.\d{6}:)/sprintf '%s %7d ', $1, $2/e for @e;
}
for (defined $rule{exits} ? lines($rule{exits}) : ()) {
	my ($tid, $time) = split;
	push @{$exit{$tid}}, $time;
}
@link = map { hex } lines($rule{links}) if defined $rule{links};

# A frame: its address and the rest.
sub frame
{
	return ($_[0] // '') =~ /^(?:\t| (?=[ 0-9a-f]{16} ))? *([0-9a-f]+) (.*)/ ? ($1, $2) : ();
}

# The first line of a sample: comm, tid, time, and what follows the comm.
sub head
{
	return $_[0] =~ /^ *(\S.*?) +((\d+) +(?:\[\d+\] +)?(\d+\.\d+): .*)/ ? ($1, $3, $4, $2) : ();
}

sub enter
{
	return unless $_[0] =~ /^[^\t].*: |CALLCHAIN \[/ && $_[0] !~ /PERF_RECORD_/;
	$deferred = $_[0] =~ /DEFERRED CALLCHAIN/;
	$sample++ unless $deferred;
	$exited = $executed = 0;
}

sub explain
{
	my ($what, $more_e, $more_a) = @_;
	($more_e, $more_a) = map { $_ ? 1 : 0 } $more_e, $more_a;
	$count{$what} += $more_e || $more_a;
	enter($e[$i]) if $more_e;
	$i += $more_e;
	$j += $more_a;
	return 1;
}

sub explain_exited
{
	my @he = head($e[$i] // '');
	my @ha = head($a[$j] // '');
	return 0 unless @he && @ha && $he[0] eq ":$he[1]" && grep { $_ <= $he[2] } @{$exit{$he[1]} // []};
	# The sample's own frame stands on the same line.
	my ($re, $ra) = map { s/ (\[unknown\]|\S+) \(.*\)$//r } $he[3], $ha[3];
	return 0 unless $re eq $ra && ($he[3] eq $ha[3] || $he[3] =~ /\[unknown\] \(\[unknown\]\)$/);
	explain('exited', 1, 1);
	return $exited = 1;
}

sub explain_executed
{
	my @he = head($e[$i] // '');
	my @ha = head($a[$j] // '');
	return 0 unless $rule{executed} && @he && @ha && $he[0] ne $ha[0] && $he[3] eq $ha[3];
	explain('executed', 1, 1);
	return $executed = 1;
}

sub lone_vdso
{
	return ($_[0] // '') =~ /^(\S.*|  .*) \S+ \(\[vdso\]\)$/ ? $1 : '';
}

# How many frames with this address follow.
sub run
{
	my ($address, $at, $lines) = @_;
	my $from = $at;
	$at++ while ((frame($lines->[$at]))[0] // '') eq $address;
	return $at - $from;
}

sub is_ahead
{
	my ($line, $address, $at, $lines) = @_;
	return grep { $_ eq $line } @{$lines}[$at .. $at + run($address, $at, $lines) - 1];
}

# Whether our frame is one that perf calls inlined: it is not among perf's with this address, of which
# there are no more than ours.
sub is_renamed
{
	my ($address) = @_;
	my ($run_e, $run_a) = (run($address, $i, \@e), run($address, $j, \@a));
	return $run_a >= $run_e && !is_ahead($a[$j], $address, $i, \@e) ? 1 : 0;
}

# Whether perf has more frames with this address, which is that of our frame here or before it.
sub is_more
{
	my ($address) = @_;
	my ($run_e, $run_a) = (run($address, $i, \@e), run($address, $j, \@a));
	return $run_e > $run_a && ($run_a || $j && run($address, $j - 1, \@a));
}

sub explain_frame
{
	my ($fe, $te) = frame($e[$i]);
	my ($fa, $ta) = frame($a[$j]);
	$fa //= '';
	if (!defined $fe) {
		# With the inlined ones, which have its address.
		my $n = $deferred || !$fa || ($e[$i] // '-') ne '' || !$j || !head($a[$j - 1]) ? 0 : run($fa, $j, \@a);
		if ($n && ($a[$j + $n] // '-') eq '') {
			explain('own', 0, 1) for 1 .. $n;
			return 1;
		}
		return explain('empty', 1, 1) if $deferred && $i < @e && $fa && $e[$i] =~ /^( \(inlined\))?$/;
		# The sample's only frame stands on its first line.
		my ($re, $ra) = (lone_vdso($e[$i]), lone_vdso($a[$j]));
		return $rule{vdso} && $re && $re eq $ra && explain('vdso', 1, 1);
	}
	if ($rule{inlines} && ($ta // '') =~ /\(inlined\)$/) {
		# Another name, unless one of them has it further on.
		my $ahead_e = $fe eq $fa && is_ahead($a[$j], $fe, $i, \@e);
		my $ahead_a = $fe eq $fa && is_ahead($e[$i], $fe, $j, \@a);
		return explain('inlined', $fe eq $fa && (!$ahead_a || $ahead_e), !$ahead_e || $ahead_a);
	}
	return explain('inlined', 1, is_renamed($fe)) if $te =~ /\(inlined\)$/ && $rule{inlines};
	return explain('executed', 1, 0) if $executed && $fa eq '' && length $fe < 16;
	if ($fe eq $fa) {
		return explain('executed', 1, 1) if $rule{executed} && $ta eq '[unknown] ([unknown])' && length $fe < 16;
		return explain('exited', 1, 1) if $exited && $te eq '[unknown] ([unknown])';
		return explain('vdso', 1, 1) if $rule{vdso} && $te =~ /\(\[vdso\]\)$/ && $ta =~ /\(\[vdso\]\)$/;
		return explain('sizeless', 1, 1) if $te =~ /^__tls_get_offset(\+| \()/ && $ta =~ /^\[unknown\] /;
		return $te =~ /^offset_0x\w+\@plt/ && $ta =~ /^\S+\@plt/ && explain('plt', 1, 1);
	}
	# An inlined function has no such mark where it is called like the symbol.
	return explain('inlined', 1, 0) if $rule{inlines} && is_more($fe);
	if (@link && $sample < @link) {
		my $low = $link[$sample] & 0xffffffffffff;
		return explain('link', 1, 0) if hex($fe) == $low || hex($fe) + 1 == $low;
	}
	# perf 6.1 gives unwound frames the addresses that they have in their file.
	if ($rule{late} && $fa ne '' && $te =~ /^(\[unknown\]|\(cookie\)) \(\[unknown\]\)$/ && ($e[$i + 1] // '-') eq '') {
		explain('late', 0, 1) while defined((frame($a[$j]))[0]);
		return explain('late', 1, 0);
	}
	return explain('unwound', 1, $rule{narrow} && $fa ne '') if $rule{unwound} && length $fe < 16;
	return 0;
}

# What nobody can explain: on to where both are the same again.
sub other
{
	for my $n (1 .. 400) {
		for my $of_e (0 .. $n) {
			my ($ie, $ja) = ($i + $of_e, $j + $n - $of_e);
			next if $ie > @e || $ja > @a;
			next unless ($e[$ie] // "\0") eq ($a[$ja] // "\0");
			print STDERR map { "- $_\n" } @e[$i .. $ie - 1] if $count{other} < 20;
			print STDERR map { "+ $_\n" } @a[$j .. $ja - 1] if $count{other} < 20;
			$count{other} += $n;
			enter($_) for @e[$i .. $ie - 1];
			($i, $j) = ($ie, $ja);
			return;
		}
	}
	$count{other} += @e - $i + @a - $j;
	($i, $j) = (scalar @e, scalar @a);
}

while ($i < @e || $j < @a) {
	if ($i < @e && $j < @a && $e[$i] eq $a[$j]) {
		enter($e[$i]);
		$count{same}++;
		$i++;
		$j++;
		next;
	}
	explain_exited() or explain_executed() or explain_frame() or other();
}
print join(' ', map { "$_=$count{$_}" } grep { $count{$_} || $_ eq 'same' } qw(same exited inlined link vdso unwound late executed own empty plt sizeless other)), "\n";
