# SPDX-License-Identifier: BSD-2-Clause
# [FLAGS=FLAG] presets.pl PAYLOAD <SCENES: prints a stream for `assemble` with the samples of the scenes, and writes the formats of their
# events to PAYLOAD. A line of a scene:
#	event SYSTEM:NAME TYPE FIELD, TYPE FIELD ...	declares an event; text is char[16]
#	TIME TID CPU NAME VALUE...			a sample; TIME in microseconds
#	record TEXT					another record, as text for `assemble`
use strict;
use warnings;

my ($payload) = @ARGV;
my %size = (u64 => 8, s64 => 8, 'unsigned long' => 8, dev_t => 4, size_t => 8, 'void *' => 8, u32 => 4, int => 4, 'unsigned int' => 4, text => 16, args => 48);
my (%events, @order, @samples);

while (<STDIN>) {
	next if /^\s*(#|$)/;
	if (/^event (\w+):(\w+)\s*(.*)/) {
		my @fields = map { /^(.*\S)\s+(\w+)$/ or die "bad field $_"; [$1, $2] } split(/, */, $3);
		$events{$2} = {system => $1, name => $2, fields => \@fields, id => 100 + @order};
		push @order, $2;
	} elsif (/^record (.*)/) {
		push @samples, $1;
	} else {
		my ($time, $tid, $cpu, $name, @values) = split;
		my $event = $events{$name} or die "no event $name";
		my @raw = ("2:$event->{id} 1:0 1:0 4:$tid");
		for my $field (@{$event->{fields}}) {
			my $type = $field->[0];
			my $value = shift @values;
			die "$name lacks $field->[1]" unless defined $value;
			if ($type eq 'text') {
				push @raw, map("1:$_", unpack('C*', pack('a16', $value)));
			} elsif ($type eq 'args') {
				my @args = split(/,/, $value);
				push @raw, map('8:' . ($_ // 0), @args[0 .. 5]);
			} else {
				$value = $value & ($size{$type} == 4 ? 0xffffffff : ~0) if $value =~ /^-/;
				push @raw, "$size{$type}:$value";
			}
		}
		push @samples, "SAMPLE misc=(kernel) id=$event->{id} ip=0xffffffff81000000 pid=$tid tid=$tid time=${time}000 cpu=$cpu period=1 raw={@raw}";
	}
}

sub format_of
{
	my $event = shift;
	my $text = "name: $event->{name}\nID: $event->{id}\nformat:\n";
	my $at = 8;
	$text .= "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n";
	$text .= "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n";
	for my $field (@{$event->{fields}}) {
		my ($type, $name) = @$field;
		my $declared = $type eq 'text' ? "char $name\[16]" : $type eq 'args' ? "unsigned long $name\[6]" : "$type $name";
		my $signed = $type =~ /^(s64|int|text)$/ ? 1 : 0;
		$text .= "\tfield:$declared;\toffset:$at;\tsize:$size{$type};\tsigned:$signed;\n";
		$at += $size{$type};
	}
	return $text . "\nprint fmt: \"x\"\n";
}

sub sized { my $text = shift; return pack('Q<', length $text) . $text }

my %systems;
push @{$systems{$events{$_}{system}}}, format_of($events{$_}) for @order;
my $page = "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n" .
	"\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n";
my $data = "\x17\x08\x44tracing0.6\0" . pack('CCL<', 0, 8, 4096) . "header_page\0" . sized($page) . "header_event\0" . sized("# none\n") . pack('L<', 0);
$data .= pack('L<', scalar keys %systems);
for my $system (sort keys %systems) {
	$data .= "$system\0" . pack('L<', scalar @{$systems{$system}}) . join('', map(sized($_), @{$systems{$system}}));
}
$data .= pack('L<L<', 0, 0) . sized('');
$data .= "\0" x (-length($data) % 8);
open(my $out, '>:raw', $payload) or die;
print $out $data;
close $out;
my $flags = $ENV{FLAGS} ? "sample_id_all $ENV{FLAGS}" : 'sample_id_all';
print "HEADER_ATTR attr_type=2 config=$events{$_}{id} sample_period=1 id=$events{$_}{id} sample_type=(IDENTIFIER IP TID TIME CPU PERIOD RAW) flags=($flags)\n" for @order;
print "HEADER_FEATURE feature=(ARCH) arch=\"" . ($ENV{ARCH} // "x86_64") . "\"\n";
printf "TRACING_DATA payload_size=%d payload=@%s\n", length $data, $payload;
print "$_\n" for @samples;
