#!/usr/bin/perl
# SPDX-License-Identifier: BSD-2-Clause
# refold.pl [OPTION...] [FILE...]: folds what pk-script --json printed, as pk-fold folds the recording. Written
# from the manual, not from pk-fold: sums are made sample by sample, names from the text of each frame.
# Without arguments, each line of stdin is OUTPUT [OPTION...] FILE...: the files are parsed once.
#   --weight samples|period|latency|FIELD   --event GLOB   --by KEY,...   --root GLOB   --leaf GLOB   --reverse
#   --max-depth N   --collapse-recursion   --addresses   --modules   --lines   --inlines=no   --suffixes[=kji]
#   --sort=weight   --live NANOSECONDS   --diff FILE: the JSON of the base, whose weights come first
#   --raw: names are left out, as of a recording that is not symbolized
# Kernel addresses are those of 64-bit machines whose
# upper half is the kernel's. Among the callers of user code, such an address is no address.
use strict;
use warnings;
no warnings 'portable';

my (@events, %o, @by, %by, %mark, $root, $leaf, %sum, $column, $columns, $first, $others, $next, $printed, $heading);
my (%cgroup, %running, $host, $tasks, %parsed);

sub options
{
	my ($words) = @_;
	(@events, %o, $first, $next, $printed, $heading) = ();
	while (@$words && $words->[0] =~ s/^--//) {
		my ($name, $value) = split(/=/, shift @$words, 2);
		$value //= $name =~ /^(?:weight|event|by|root|leaf|max-depth|diff|live)$/ ? shift @$words : 1;
		push @events, glob_of($value) if $name eq 'event';
		$o{$name} = $value;
	}
	@by = split(/,/, $o{by} // 'comm');
	@by = () if "@by" eq 'none';
	%by = map { $_ => 1 } @by;
	%mark = map { $_ => 1 } split(//, ($o{suffixes} // '') eq 1 ? 'kji' : $o{suffixes} // '');
	($root, $leaf) = map { glob_of($o{$_}) } qw(root leaf);
}

sub glob_of
{
	my $glob = shift // return undef;
	$glob =~ s/([^\w*?[\]-])/\\$1/g;
	$glob =~ s/\*/.*/g;
	$glob =~ s/(?<!\\)\?/./g;
	return qr/^$glob$/s;
}

# One value of JSON at the position of $_.
sub value
{
	my ($key, %object, @list);

	if (/\G\{/gc) {
		until (/\G\}/gc) {
			/\G,?"([^"]*)":/gc or die "no member: $_";
			$key = $1;
			$object{$key} = value();
		}
		return \%object;
	}
	if (/\G\[/gc) {
		until (/\G\]/gc) {
			/\G,/gc;
			push @list, value();
		}
		return \@list;
	}
	if (/\G"((?:[^"\\]|\\.)*)"/gc) {
		my $text = $1;
		$text =~ s/\\u00([0-9a-f]{2})/chr(hex($1))/ige;
		$text =~ s/\\(["\\\/])/$1/g;
		return $text;
	}
	/\G(true|false|null|-?[0-9.eE+-]+)/gc or die "no value: $_";
	return $1;
}

sub safe
{
	my $text = shift;
	$text =~ tr/;\x00-\x1f\x7f/:?/;
	return $text;
}

sub base
{
	my $path = shift;
	$path =~ s/ \(deleted\)$//;
	$path =~ s|.*/||s;
	return safe($path);
}

sub marks
{
	my ($name, %is) = @_;
	for my $kind (qw(k j i)) {
		$name .= "_[$kind]" if $is{$kind} && index($name, "_[$kind]") < 0;
	}
	return $name;
}

sub is_high
{
	my $ip = shift;
	return length($ip) == 18 && $ip =~ /^0x[89a-f]/;
}

# Where the parameters of a function start: at the first parenthesis outside of template arguments and of lambdas.
sub parameters
{
	my $name = shift;
	my $open = 0;
	while ($name =~ /operator(?:\(\)|[-<>=]+)|\(anonymous namespace\)|[<{]|->|[>}]|(?<=.)\(/g) {
		return $-[0] if $& eq '(' && $open <= 0;
		$open += $& =~ /^[<{]$/ ? 1 : $& =~ /^[>}]$/ ? -1 : 0;
	}
	return length($name);
}

# The names of a frame, callers first.
sub names
{
	my ($frame, $java, $user) = @_;
	my $kernel = !$user && is_high($frame->{ip});
	my %is = (k => $mark{k} && $kernel, i => $mark{i} && $frame->{inlined},
		j => $mark{j} && scalar(($frame->{dso} // '') =~ m{^/tmp/perf-\d+\.map$|/jit-\d+\.dump$}));
	my (@names, $line);

	return () if $frame->{inlined} && ($o{inlines} // '') eq 'no';
	if (!defined $frame->{symbol} || $o{raw}) {
		my $name = '[' . base($frame->{dso} // 'unknown') . ']';
		$name .= '+' . ($kernel ? $frame->{ip} : $frame->{dsoff} // $frame->{ip}) if $o{addresses} || $o{raw};
		return marks($name, %is);
	}
	my @parts = split(/->/, $frame->{symbol});
	for my $i (0 .. $#parts) {
		my $name = safe($parts[$i]);
		$name = substr($name, 0, parameters($name)) unless $name =~ /\.\(.*\)\./;
		$name =~ s/^L// if $java && $name =~ m{/};
		$name =~ tr/"'//d;
		$name .= ':' . base($frame->{file}) . ":$frame->{line}"
			if $o{lines} && $i == $#parts && defined $frame->{file};
		$name = marks($name, %is);
		$name = marks($name, i => 1) if $i;
		$name = base($frame->{dso}) . "`$name" if $o{modules} && defined $frame->{dso};
		push @names, $name;
	}
	return @names;
}

sub comm
{
	my $comm = safe(shift);
	$comm =~ tr/ /_/;
	return $comm;
}

sub keys_of
{
	my $s = shift;
	my %value = (pid => $s->{pid}, tid => $s->{tid}, cpu => $s->{cpu}, event => $s->{event}, host => $host,
		cgroup => defined $s->{cgroup_id} ? $cgroup{$s->{cgroup_id}} : undef);
	return map { $_ eq 'comm' ? comm($s->{comm}) : comm("$_=" . ($value{$_} // 'unknown')) } @by;
}

# Undefined: the stack is outside of root and leaf.
sub stack
{
	my $s = shift;
	my $user = 0;
	my @frames = reverse map {
		$user ||= !is_high($_->{ip});
		[names($_, scalar($s->{comm} =~ /^java/), $user)]
	} @{$s->{callchain}};
	my ($begin, $end) = (0, $#frames);

	if ($root) {
		$begin++ until $begin > $#frames || grep { $_ =~ $root } @{$frames[$begin]};
	}
	if ($leaf) {
		$end-- until $end < 0 || grep { $_ =~ $leaf } @{$frames[$end]};
	}
	return if ($root || $leaf) && $begin > $end;
	@frames = reverse @frames[$begin .. $end] if $o{reverse};
	@frames = @frames[$begin .. $end] unless $o{reverse};
	my @stack;
	for my $name (map { @$_ } @frames) {
		next if $o{'collapse-recursion'} && @stack && $stack[-1] eq $name;
		push @stack, $name;
	}
	splice(@stack, $o{'max-depth'}) if defined $o{'max-depth'} && @stack > $o{'max-depth'};
	return \@stack;
}

sub run
{
	my ($pid, $tid, $on) = @_;
	return if !$tid || $tid == -1;
	delete $running{$_}{$tid} for keys %running;
	$running{$pid}{$tid} = 1 if $on;
}

# How many threads run of the process, or of all that was recorded if that were tasks and not processors.
sub threads
{
	my $pid = shift;
	my $n = 0;
	for my $process ($tasks ? keys %running : $pid) {
		$n += keys %{$running{$process}};
	}
	return $n || 1;
}

# Undefined: the sample has nothing of the kind.
sub weight
{
	my $s = shift;
	my $kind = $o{weight} // '';
	my $tracepoint = defined $s->{trace};

	return 1 if $kind eq 'samples' || $kind eq '' && $tracepoint;
	return $s->{period} || 1 if $kind eq 'period' || $kind eq '';
	if ($kind eq 'latency') {
		my $n = threads($s->{pid});
		return $tracepoint ? undef : int(($s->{period} + int($n / 2)) / $n);
	}
	return $s->{$kind} if $kind =~ /^(?:weight|ins_lat|retire_lat)$/ && !$tracepoint;
	return unless $tracepoint && $s->{trace} =~ /(?:^| )\Q$kind\E=(0x[0-9a-f]+|-?\d+)/;
	return $1 =~ /^0x/ ? hex($1) : $1 < 0 ? 0 : $1;
}

sub is_folded
{
	my $s = shift;
	return scalar(grep { $s->{event} =~ $_ } @events) if @events;
	return 1 if $by{event} || defined $s->{trace};
	return '' if $s->{event} eq 'offcpu-time' && $others;
	$first //= $s->{event};
	return $s->{event} eq $first;
}

# Prints what there is, and forgets it.
sub show
{
	my @stacks = sort keys %sum;
	@stacks = sort { $sum{$b}[-1] <=> $sum{$a}[-1] || $a cmp $b } @stacks if ($o{sort} // '') eq 'weight';
	print "\n" if $printed;
	$printed = 1;
	print "$heading\n" if $heading;
	for my $stack (@stacks) {
		print join(' ', $stack, map { $sum{$stack}[$_] // 0 } 0 .. $columns - 1), "\n";
	}
	%sum = ();
}

# Of recordings without CLOCK_DATA, and whole milliseconds.
sub heading
{
	my $time = shift;
	my $s = int($time / 1e9);
	return sprintf("# %02d:%02d:%02d.%03d of the stream's clock", $s / 3600, $s / 60 % 60, $s % 60, $time / 1e6 % 1000);
}

sub sample
{
	my $s = shift;
	if ($o{live} && (!$next || $s->{time} >= $next)) {
		show() if $next;
		$next = $s->{time} + $o{live};
		$heading = heading($s->{time});
	}
	run($s->{pid}, $s->{tid}, 1);
	return unless is_folded($s);
	my $weight = weight($s);
	my $stack = stack($s);
	$sum{join(';', keys_of($s), @$stack)}[$column] += $weight if $weight && $stack && (@by || @$stack);
}

sub record
{
	my $r = shift;
	if ($r->{type} eq 'SAMPLE') {
		sample($r);
	} elsif ($r->{type} =~ /^SWITCH/) {
		$tasks ||= $r->{type} eq 'SWITCH';
		run($r->{'trailer.pid'}, $r->{'trailer.tid'}, !($r->{misc} & 0x2000));
	} elsif ($r->{type} eq 'EXIT') {
		run($r->{pid}, $r->{tid}, 0);
	} elsif ($r->{type} eq 'CGROUP') {
		$cgroup{$r->{id}} = $r->{path};
	} elsif (defined $r->{hostname}) {
		$host = $r->{hostname};
	}
}

# The records of a file that matter here.
sub parse
{
	my ($file) = @_;
	open(my $json, '<', $file) or die "$file: $!\n";
	my @records;
	while (<$json>) {
		push @records, value() if /^\{"type":"(?:SAMPLE|SWITCH|EXIT|CGROUP|HEADER_FEATURE)/;
	}
	return \@records;
}

sub take
{
	my ($file) = @_;
	my $records = $parsed{$file} //= parse($file);
	(%cgroup, %running, $host, $tasks) = ();
	$others = grep { $_->{type} eq 'SAMPLE' && !defined $_->{trace} && $_->{event} ne 'offcpu-time' } @$records;
	record($_) for @$records;
}

sub refold
{
	my @words = @_;
	options(\@words);
	$columns = defined $o{diff} ? 2 : 1;
	$column = 0;
	take($o{diff}) if defined $o{diff};
	$column = $columns - 1;
	take($_) for @words;
	show();
}

if (@ARGV) {
	refold(@ARGV);
	exit;
}
while (my $line = <STDIN>) {
	my ($output, @words) = split(' ', $line);
	open(STDOUT, '>', $output) or die "$output: $!\n";
	refold(@words);
}
