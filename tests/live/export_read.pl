# SPDX-License-Identifier: BSD-2-Clause
# export_read.pl FORMAT FILE: reads what pk-export has written, with a reader of its own, and prints for each kind of
# weight and each function "KIND FUNCTION SELF TOTAL", separated by tabs. An unresolved function is an empty name.
use strict;
use warnings;

my (%self, %total); # by kind, then by function

# add KIND WEIGHT NAME...: of a stack, the leaf first
sub add
{
	my ($kind, $weight, @names) = @_;
	my %seen;
	return if !$weight || !@names;
	$self{$kind}{$names[0]} += $weight;
	$total{$kind}{$_} += $weight for grep { !$seen{$_}++ } @names;
}

# ---- Protocol Buffers ----

sub varint
{
	my ($data, $at) = @_;
	my ($value, $shift) = (0, 0);
	while (1) {
		die "cut varint" if $$at >= length $$data;
		my $byte = ord substr $$data, $$at++, 1;
		$value |= ($byte & 127) << $shift;
		return $value if $byte < 128;
		$shift += 7;
		die "long varint" if $shift > 63;
	}
}

# The fields of a message: number => [values], strings for those with a length.
sub message
{
	my ($data) = @_;
	my ($at, %fields) = (0);
	while ($at < length $data) {
		my $key = varint(\$data, \$at);
		my $type = $key & 7;
		if ($type == 0) {
			push @{$fields{$key >> 3}}, varint(\$data, \$at);
		} elsif ($type == 2) {
			my $size = varint(\$data, \$at);
			die "cut field" if $at + $size > length $data;
			push @{$fields{$key >> 3}}, substr $data, $at, $size;
			$at += $size;
		} else {
			die "wire type $type";
		}
	}
	return \%fields;
}

sub packed
{
	my ($data) = @_;
	my ($at, @numbers) = (0);
	push @numbers, varint(\$data, \$at) while $at < length $data;
	return @numbers;
}

sub one { $_[0]{$_[1]} ? $_[0]{$_[1]}[0] : 0 }

sub profile
{
	my ($file) = @_;
	open my $in, '-|', 'gzip', '-dc', $file or die;
	binmode $in;
	local $/;
	my $profile = message(scalar <$in>);
	close $in or die "gzip";
	return $profile;
}

# Prints all of a profile as text.
sub read_pprof_text
{
	my $profile = profile(@_);
	my @strings = @{$profile->{6}};
	my $typed = sub { my $m = message($_[0]); "$strings[one($m, 1)]/$strings[one($m, 2)]" };
	print "types ", join(' ', map { $typed->($_) } @{$profile->{1}}), "\n";
	for (map { message($_) } @{$profile->{2} || []}) {
		print "sample ", join(' ', packed($_->{2}[0])), " at ", join(' ', packed($_->{1}[0]));
		for (map { message($_) } @{$_->{3} || []}) {
			print " $strings[one($_, 1)]=", $_->{2} ? "'$strings[one($_, 2)]'" : one($_, 3), $strings[one($_, 4)];
		}
		print "\n";
	}
	for (map { message($_) } @{$profile->{4} || []}) {
		print "location ", one($_, 1), " mapping ", one($_, 2), sprintf(" 0x%x", one($_, 3));
		for (map { message($_) } @{$_->{4} || []}) {
			print "; function ", one($_, 1), " line ", one($_, 2);
		}
		print "\n";
	}
	for (map { message($_) } @{$profile->{3} || []}) {
		print "mapping ", one($_, 1), sprintf(" 0x%x-0x%x ", one($_, 2), one($_, 3)), "'$strings[one($_, 5)]' '$strings[one($_, 6)]'",
			" has ", one($_, 7), one($_, 8), one($_, 9), one($_, 10), "\n";
	}
	for (map { message($_) } @{$profile->{5} || []}) {
		print "function ", one($_, 1), " '$strings[one($_, 2)]' '$strings[one($_, 3)]' '$strings[one($_, 4)]'\n";
	}
	my %names = (7 => 'drop', 8 => 'keep', 14 => 'default');
	print "$names{$_} $strings[one($profile, $_)]\n" for grep { $profile->{$_} } sort keys %names;
	%names = (9 => 'time', 10 => 'duration', 12 => 'period');
	print "$names{$_} ", one($profile, $_), "\n" for grep { $profile->{$_} } sort keys %names;
	print "period type ", $typed->($profile->{11}[0]), "\n" if $profile->{11};
}

sub read_pprof
{
	my $profile = profile(@_);
	my @strings = @{$profile->{6}};
	die "string 0" if $strings[0] ne '';
	utf8::decode(my $copy = $_) or die "string that is not UTF-8" for @strings;
	my (%mappings, %functions, %locations);
	for (map { message($_) } @{$profile->{3} || []}) {
		die "mapping twice" if $mappings{one($_, 1)}++;
		die "mapping" if one($_, 2) >= one($_, 3);
	}
	for (map { message($_) } @{$profile->{5} || []}) {
		die "function twice" if exists $functions{one($_, 1)};
		$functions{one($_, 1)} = $strings[one($_, 2)];
	}
	for (map { message($_) } @{$profile->{4} || []}) {
		die "location twice" if exists $locations{one($_, 1)};
		die "no mapping" if one($_, 2) && !$mappings{one($_, 2)};
		my @names = map { $functions{one(message($_), 1)} // die "no function" } @{$_->{4} || []};
		$locations{one($_, 1)} = @names ? \@names : [''];
	}
	my @types = map { $strings[one(message($_), 1)] } @{$profile->{1}};
	die "default type" if one($profile, 14) && !grep { $_ eq $strings[one($profile, 14)] } @types;
	for (map { message($_) } @{$profile->{2} || []}) {
		my @values = packed($_->{2}[0]);
		die "values" if @values != @types;
		my @stack = map { @{$locations{$_} // die "no location"} } map { packed($_) } @{$_->{1}};
		add($types[$_], $values[$_], @stack) for 0 .. $#types;
		my $label = message($_) or die for @{$_->{3} || []};
	}
}

# ---- Callgrind ----

# Functions that nobody calls stand for labels.
sub read_callgrind
{
	my ($file) = @_;
	open my $in, '<', $file or die;
	my (%names, @kinds, @summary, @sum, $function, $callee);
	my $name = sub {
		my ($table, $text) = @_;
		$text =~ /^\((\d+)\)(?: (.*))?$/ or die "name $text";
		die "name twice" if defined $2 && exists $names{$table}{$1};
		$names{$table}{$1} = $2 if defined $2;
		return $names{$table}{$1} // die "number $1 without a name";
	};
	my %called;
	while (<$in>) {
		chomp;
		next if /^(#|version: 1$|creator: |positions: line$|$)/;
		if (/^events: (.*)/) {
			@kinds = split ' ', $1;
		} elsif (/^summary: (.*)/) {
			@summary = split ' ', $1;
		} elsif (/^(fl|fi|fe|cfi)=(.*)/) {
			$name->('file', $2);
		} elsif (/^c?ob=(.*)/) {
			$name->('object', $1);
		} elsif (/^fn=(.*)/) {
			$function = $name->('function', $1);
		} elsif (/^cfn=(.*)/) {
			$callee = $name->('function', $1);
		} elsif (/^calls=\d+ 0$/) {
			my @values = split ' ', <$in>;
			$total{$kinds[$_]}{$callee} += $values[$_ + 1] for 0 .. $#kinds;
			$called{$callee} = 1;
			$callee = undef;
		} elsif (/^\d+( \d+)+$/) {
			my @values = split;
			for (0 .. $#kinds) {
				$self{$kinds[$_]}{$function} += $values[$_ + 1];
				$sum[$_] += $values[$_ + 1];
			}
		} else {
			die "line $.: $_";
		}
	}
	$sum[$_] //= 0 for 0 .. $#kinds;
	die "summary @summary, not @sum" if "@summary" ne "@sum";
	for my $kind (keys %total) {
		for (keys %{$total{$kind}}) {
			delete $total{$kind}{$_} if !$total{$kind}{$_};
		}
	}
}

# ---- JSON ----

# Reads a value at the position of $_[0].
sub json
{
	for ($_[0]) {
		/\G\s+/gc;
		if (/\G\{\s*/gc) {
			my %object;
			until (/\G\}/gc) {
				my $name = json($_);
				/\G\s*:/gc or die "no colon at " . pos;
				exists $object{$name} and die "$name twice";
				$object{$name} = json($_);
				/\G\s*(,|(?=\}))\s*/gc or die "no comma at " . pos;
			}
			return \%object;
		}
		if (/\G\[\s*/gc) {
			my @array;
			until (/\G\]/gc) {
				push @array, json($_);
				/\G\s*(,(?!\s*\])|(?=\]))\s*/gc or die "no comma at " . pos;
			}
			return \@array;
		}
		if (/\G"((?:[^"\\\x00-\x1f]|\\(?:["\\\/bfnrt]|u[0-9a-fA-F]{4}))*)"/gc) {
			my $text = $1;
			$text =~ s/\\u([0-9a-fA-F]{4})/chr hex $1/ge;
			$text =~ s/\\(.)/$1/g;
			return $text;
		}
		return $1 if /\G(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)/gc;
		return $1 eq 'true' ? 1 : 0 if /\G(true|false)/gc;
		return undef if /\Gnull/gc;
		die "no value at " . (pos // 0);
	}
}

sub json_file
{
	my ($file) = @_;
	open my $in, '<', $file or die;
	local $/;
	my $text = <$in>;
	utf8::decode(my $copy = $text) or die "JSON that is not UTF-8";
	pos($text) = 0;
	my $value = json($text);
	$text =~ /\G\s*$/ or die "more after the JSON at " . pos $text;
	return $value;
}

# ---- speedscope ----

# The kind of a profile is its event, the last word of its name, if the file has several; else "weight".
sub read_speedscope
{
	my $all = json_file(@_);
	$all->{'$schema'} eq 'https://www.speedscope.app/file-format-schema.json' or die "schema";
	my @frames = @{$all->{shared}{frames}};
	my @names = map { $_->{name} =~ /^\[.*\]$/s ? '' : $_->{name} } @frames;
	my %keys;
	$keys{join "\0", map { $_ // '' } @$_{qw(name file line col)}}++ and die "frame twice" for @frames;
	my $several = grep { $_->{name} =~ / [^ =]+$/ } @{$all->{profiles}};
	for my $profile (@{$all->{profiles}}) {
		my $kind = $several && $profile->{name} =~ / ([^ ]+)$/ ? $1 : 'weight';
		$profile->{unit} =~ /^(none|nanoseconds|bytes)$/ or die "unit";
		$profile->{startValue} == 0 or die "start";
		if ($profile->{type} eq 'sampled') {
			my ($samples, $weights) = @$profile{qw(samples weights)};
			@$samples == @$weights or die "weights";
			my $sum = 0;
			for my $i (0 .. $#$samples) {
				add($kind, $weights->[$i], reverse map { $names[$_] // die "frame $_" } @{$samples->[$i]});
				$sum += $weights->[$i];
			}
			$sum == $profile->{endValue} or die "end";
		} elsif ($profile->{type} eq 'evented') {
			my (@open, $before);
			for my $event (@{$profile->{events}}) {
				$event->{at} >= ($before // 0) && $event->{at} <= $profile->{endValue} or die "at";
				add($kind, $event->{at} - $before, reverse map { $names[$_] } @open) if @open;
				$before = $event->{at};
				if ($event->{type} eq 'O') {
					push @open, $event->{frame};
				} else {
					$event->{type} eq 'C' && pop @open == $event->{frame} or die "close";
				}
			}
			@open and die "open";
		} else {
			die "type";
		}
	}
}

# ---- Rows ----

# The rows of a file as objects, whatever its format.
sub rows_of
{
	my ($file) = @_;
	my ($head, @names, @rows);
	open my $in, '<', $file or die;
	while (<$in>) {
		chomp;
		if (/^\{/) {
			push @rows, json($_);
			next;
		}
		my @values = /^"|,"/ ? map { s/^"(.*)"$/$1/s; s/""/"/g; $_ } /((?:"(?:[^"]|"")*"|[^,"]*))(?:,|$)/g
			: map { $_ eq '\\N' ? undef : s/\\\\/\\/gr } split /\t/, $_, -1;
		if (!@names) {
			@names = @values;
			next;
		}
		my %row;
		@row{@names} = @values;
		push @rows, \%row;
	}
	return @rows;
}

sub names_of
{
	return map { /^\[.*\]$/ ? '' : $_ } @_;
}

sub read_rows
{
	for my $row (rows_of(@_)) {
		my $stack = $row->{stack};
		my @frames = ref $stack ? @$stack : split /;/, $stack;
		add($row->{event}, $row->{weight}, reverse names_of(@frames));
	}
}

sub read_tables
{
	my ($folder) = @_;
	my (%frames, %stacks);
	my %objects = map { $_->{object} => 1 } rows_of("$folder/objects.tsv");
	for (rows_of("$folder/frames.tsv")) {
		die "frame twice" if $frames{$_->{frame}};
		die "no object" if defined $_->{object} && !$objects{$_->{object}};
		$frames{$_->{frame}} = $_;
	}
	for (rows_of("$folder/stacks.tsv")) {
		die "stack twice" if $stacks{$_->{stack}};
		my $frame = $frames{$_->{frame}} // die "no frame";
		my @rest = defined $_->{parent} ? @{$stacks{$_->{parent}} // die "no parent"} : ();
		$stacks{$_->{stack}} = [$frame->{function} // '', @rest];
		die "depth" if $_->{depth} != @rest + 1;
	}
	add($_->{event}, $_->{weight}, @{$stacks{$_->{stack}} // die "no stack"}) for rows_of("$folder/samples.tsv");
}

my ($format, $file) = @ARGV;
{
	no strict 'refs';
	&{"read_$format"}($file);
}
for my $kind (keys %total) {
	print join("\t", $kind, $_, $self{$kind}{$_} // 0, $total{$kind}{$_}), "\n" for keys %{$total{$kind}};
}
