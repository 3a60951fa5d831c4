# SPDX-License-Identifier: BSD-2-Clause
# Reads OpenTelemetry profiles (opentelemetry-proto 1.11.0, profiles/v1development) of pk-export otlp.
#   otlp_read.pl schema >otlp.proto   the fields that pk writes, as protoc reads them
#   otlp_read.pl numbers FILE         "KIND FUNCTION SELF TOTAL" of each kind of values and function, separated by tabs
#   otlp_read.pl decoded FILE         the same of what `protoc --decode` has printed
#   otlp_read.pl text FILE            everything, with indexes replaced by what they refer to
use strict;
use warnings;

# Messages: name, then number, name, type of each field; "*": repeated.
my %schema = (
	ProfilesData => '1 resource_profiles *ResourceProfiles, 2 dictionary ProfilesDictionary',
	ProfilesDictionary => '1 mapping_table *Mapping, 2 location_table *Location, 3 function_table *Function,
		4 link_table *Link, 5 string_table *string, 6 attribute_table *KeyValueAndUnit, 7 stack_table *Stack',
	ResourceProfiles => '1 resource Resource, 2 scope_profiles *ScopeProfiles',
	ScopeProfiles => '1 scope InstrumentationScope, 2 profiles *Profile',
	Profile => '1 sample_type ValueType, 2 samples *Sample, 3 time_unix_nano fixed64, 4 duration_nano uint64,
		5 period_type ValueType, 6 period int64',
	Sample => '1 stack_index int32, 2 attribute_indices *int32, 3 link_index int32, 4 values *int64',
	ValueType => '1 type_strindex int32, 2 unit_strindex int32',
	Mapping => '1 memory_start uint64, 2 memory_limit uint64, 3 file_offset uint64, 4 filename_strindex int32,
		5 attribute_indices *int32',
	Stack => '1 location_indices *int32',
	Location => '1 mapping_index int32, 2 address uint64, 3 lines *Line, 4 attribute_indices *int32',
	Line => '1 function_index int32, 2 line int64, 3 column int64',
	Function => '1 name_strindex int32, 2 system_name_strindex int32, 3 filename_strindex int32, 4 start_line int64',
	Link => '1 trace_id bytes, 2 span_id bytes',
	KeyValueAndUnit => '1 key_strindex int32, 2 value AnyValue, 3 unit_strindex int32',
	AnyValue => '1 string_value string, 3 int_value int64',
	KeyValue => '1 key string, 2 value AnyValue',
	Resource => '1 attributes *KeyValue',
	InstrumentationScope => '1 name string, 2 version string',
);
my %fields; # by message, then by number: [name, type, repeated]
for my $message (keys %schema) {
	for (split /,\s*/, $schema{$message}) {
		my ($number, $name, $repeated, $type) = /^(\d+) (\w+) (\*?)(\w+)$/ or die "schema: $_";
		$fields{$message}{$number} = [$name, $type, $repeated];
	}
}

sub print_schema
{
	print "syntax = \"proto3\";\npackage otlp;\n";
	for my $message (sort keys %fields) {
		print "message $message {\n";
		for (sort { $a <=> $b } keys %{$fields{$message}}) {
			my ($name, $type, $repeated) = @{$fields{$message}{$_}};
			print $repeated ? 'repeated ' : $message eq 'AnyValue' ? 'optional ' : '', "$type $name = $_;\n";
		}
		print "}\n";
	}
}

# ---- The wire format ----

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

sub bytes
{
	my ($data, $at, $size) = @_;
	die "cut field" if $$at + $size > length $$data;
	$$at += $size;
	return substr $$data, $$at - $size, $size;
}

# The value of a field with a length.
sub sized
{
	my ($type, $data) = @_;
	return message($type, $data) if $fields{$type};
	if ($type eq 'string') {
		utf8::decode(my $copy = $data) or die "string that is not UTF-8";
		return $data;
	}
	return $data if $type eq 'bytes';
	my ($at, @numbers) = (0);
	push @numbers, varint(\$data, \$at) while $at < length $data;
	return @numbers;
}

# A message as {name => [values]}.
sub message
{
	my ($type, $data) = @_;
	my ($at, %message) = (0);
	while ($at < length $data) {
		my $key = varint(\$data, \$at);
		my ($name, $of, $repeated) = @{$fields{$type}{$key >> 3} // die "$type: field " . ($key >> 3)};
		my $wire = $key & 7;
		if ($wire == 0) {
			$of =~ /^u?int/ && !$repeated or die "$type: $name is a number";
			push @{$message{$name}}, varint(\$data, \$at);
		} elsif ($wire == 1) {
			$of eq 'fixed64' or die "$type: $name is fixed64";
			push @{$message{$name}}, unpack 'Q<', bytes(\$data, \$at, 8);
		} elsif ($wire == 2) {
			$of !~ /^u?int/ || $repeated or die "$type: $name has a length";
			push @{$message{$name}}, sized($of, bytes(\$data, \$at, varint(\$data, \$at)));
		} else {
			die "$type: wire type $wire";
		}
		die "$type: $name twice" if !$repeated && @{$message{$name}} > 1;
	}
	return \%message;
}

sub content
{
	my ($file) = @_;
	open my $in, '<:raw', $file or die "$file: $!";
	local $/;
	my $content = <$in>;
	return $content;
}

# What protoc prints. All braces and values are on lines of their own.
sub decoded
{
	my ($file) = @_;
	my @open = ({});
	for (split /\n/, content($file)) {
		if (/^ *(\w+) \{$/) {
			die "unknown field $1" if $1 =~ /^\d/;
			push @open, {};
			push @{$open[-2]{$1}}, $open[-1];
		} elsif (/^ *\}$/) {
			pop @open;
		} elsif (/^ *([a-z]\w*): (?:"(.*)"|(-?\d+))$/) {
			my ($name, $text, $number) = ($1, $2, $3);
			$text =~ s/\\(?:([0-7]{3})|(.))/defined $1 ? chr oct $1 : $2/ge if defined $text;
			push @{$open[-1]{$name}}, $text // $number;
		} else {
			die "line $_";
		}
	}
	@open == 1 or die "braces";
	return $open[0];
}

# ---- Profiles ----

sub one { my ($message, $name) = @_; return $message->{$name} ? $message->{$name}[0] : 0 }
sub all { my ($message, $name) = @_; return @{$message->{$name} // []} }

my ($dictionary, %table);

sub read_dictionary
{
	my ($data) = @_;
	@{$data->{dictionary} // []} == 1 or die "dictionaries";
	$dictionary = $data->{dictionary}[0];
	for (qw(mapping location function link string attribute stack)) {
		$table{$_} = $dictionary->{"${_}_table"} // die "no $_ table";
		my $zero = $table{$_}[0];
		($_ eq 'string' ? $zero eq '' : $_ eq 'link' || !%$zero) or die "$_ 0 has a value";
	}
	my %strings;
	$strings{$_}++ and die "string twice: $_" for @{$table{string}};
	my %used;
	$used{join ' ', all($_, 'location_indices')}++ and die "stack twice" for @{$table{stack}};
}

sub item { my ($table, $index) = @_; return $table{$table}[$index] // die "$table $index" }
sub text { my ($message, $name) = @_; return item('string', one($message, "${name}_strindex")) }

sub functions_of
{
	my ($location) = @_;
	item('mapping', one($location, 'mapping_index'));
	my @names = map { text(item('function', one($_, 'function_index')), 'name') } all($location, 'lines');
	return @names ? @names : ('');
}

sub attribute
{
	my ($attribute) = @_;
	my $value = $attribute->{value}[0];
	my $unit = text($attribute, 'unit');
	return text($attribute, 'key') . '=' . ($value->{string_value} ? "'$value->{string_value}[0]'" : $value->{int_value}[0] . $unit);
}

sub attributes
{
	my ($message) = @_;
	return map { ' ' . attribute(item('attribute', $_)) } all($message, 'attribute_indices');
}

sub print_numbers
{
	my ($data) = @_;
	my (%self, %total);
	my @names = map { my $stack = $_; [map { functions_of(item('location', $_)) } all($stack, 'location_indices')] } @{$table{stack}};
	for my $profile (map { all($_, 'profiles') } map { all($_, 'scope_profiles') } all($data, 'resource_profiles')) {
		my $kind = text($profile->{sample_type}[0], 'type');
		my %seen;
		for my $sample (all($profile, 'samples')) {
			my ($weight, @more) = all($sample, 'values');
			defined $weight && !@more or die "values";
			attributes($sample);
			$seen{join ' ', one($sample, 'stack_index'), '-', all($sample, 'attribute_indices')}++ and die "sample twice";
			my @stack = @{$names[one($sample, 'stack_index')] // die "no stack"} or next;
			my %once;
			$self{$kind}{$stack[0]} += $weight;
			$total{$kind}{$_} += $weight for grep { !$once{$_}++ } @stack;
		}
	}
	for my $kind (keys %total) {
		print join("\t", $kind, $_, $self{$kind}{$_} // 0, $total{$kind}{$_}), "\n" for keys %{$total{$kind}};
	}
}

sub print_text
{
	my ($data) = @_;
	my $type = sub { my $t = $_[0][0]; text($t, 'type') . '/' . text($t, 'unit') };
	for my $resource (all($data, 'resource_profiles')) {
		print "resource", map({ " $_->{key}[0]=$_->{value}[0]{string_value}[0]" } all($resource->{resource}[0], 'attributes')), "\n";
		for my $scope (all($resource, 'scope_profiles')) {
			print "scope $scope->{scope}[0]{name}[0]\n";
			for (all($scope, 'profiles')) {
				print "profile ", $type->($_->{sample_type}), " time ", one($_, 'time_unix_nano'), " duration ",
					one($_, 'duration_nano'), $_->{period_type} ? " period " . one($_, 'period') . " " . $type->($_->{period_type}) : '', "\n";
				print "  stack ", one($_, 'stack_index'), ": @{$_->{values}}", attributes($_), "\n" for all($_, 'samples');
			}
		}
	}
	for my $i (1 .. $#{$table{stack}}) {
		print "stack $i: ", join(' ', all($table{stack}[$i], 'location_indices')), "\n";
	}
	for my $i (1 .. $#{$table{location}}) {
		my $location = $table{location}[$i];
		printf "location %d: mapping %d 0x%x%s", $i, one($location, 'mapping_index'), one($location, 'address'), join '', attributes($location);
		for (all($location, 'lines')) {
			my $function = item('function', one($_, 'function_index'));
			print "; '", text($function, 'name'), "' '", text($function, 'filename'), "' ", one($_, 'line'), ":", one($_, 'column');
		}
		print "\n";
	}
	for my $i (1 .. $#{$table{mapping}}) {
		my $mapping = $table{mapping}[$i];
		printf "mapping %d: 0x%x-0x%x '%s'%s\n", $i, one($mapping, 'memory_start'), one($mapping, 'memory_limit'), text($mapping, 'filename'),
			join '', attributes($mapping);
	}
}

my ($command, $file) = @ARGV;
if ($command eq 'schema') {
	print_schema();
	exit;
}
my $data = $command eq 'decoded' ? decoded($file) : message('ProfilesData', content($file));
read_dictionary($data);
$command eq 'text' ? print_text($data) : print_numbers($data);
