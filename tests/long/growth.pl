#!/usr/bin/perl
# SPDX-License-Identifier: BSD-2-Clause
# growth.pl SHAPE N: a stream of the shape, as text for tests/assemble. N counts what the shape is named after; the size
# of the stream is proportional to it.
use strict;
use warnings;
no warnings "portable";

my ($shape, $n) = @ARGV;

# event ID CONFIG [TYPES [TYPE]]
sub event
{
	my ($id, $config, $types, $type) = @_;
	$types ||= 'IDENTIFIER IP TID TIME PERIOD';
	print "HEADER_ATTR attr_type=", $type // 1, " config=$config sample_period=1000 id=$id\n",
	    "  sample_type=($types) flags=(sample_id_all)\n";
}

sub start
{
	print "BEGIN\n";
	event(7, 0, 'IDENTIFIER IP TID TIME PERIOD CALLCHAIN');
	print "SESSION version=1 byte_order=1 word_size=8 trailers=1 e_machine=62\n";
}

my ($strings, $frames) = (0, 0);

sub string
{
	my ($text) = @_;
	print "STRING id=", ++$strings, " length=", length $text, " text=\"$text\"\n";
	return $strings;
}

# The root of all stacks is the name of the thread.
sub frame
{
	my ($name, $flags) = @_;
	$name = string($name);
	print "FRAME id=", ++$frames, " function=$name flags=", $flags // 2, "\n";
	return $frames;
}

sub stack
{
	my ($id, $parent, $frame) = @_;
	print "STACK id=$id parent=$parent frame=$frame\n";
}

sub root
{
	stack(1, 0, frame('comm', 256));
}

# sample STACK TIME [PID [TID [FIELDS]]]
sub sample
{
	my ($stack, $time, $pid, $tid, $fields) = @_;
	print "SAMPLE misc=(user) id=7 ip=0x1000 pid=", $pid // 5, " tid=", $tid // $pid // 5, " time=", 1000 * ($time + 1),
	    " period=1000 ", $fields // 'nr=1 ips[0]=0x1000', $stack ? " stack=$stack" : '', "\n";
}

my %shapes = (
	# Threads, each with a name and a sample.
	tids => sub {
		start();
		root();
		stack(2, 1, frame('main'));
		for my $i (1 .. $n) {
			print "COMM pid=5 tid=", 10 + $i, " comm=\"t$i\"\n";
			sample(2, $i, 5, 10 + $i);
		}
	},
	# Maps of a process, none of which has a file. Not symbolized.
	maps => sub {
		print "BEGIN\n";
		event(7, 0);
		print "COMM pid=5 tid=5 comm=\"many\"\n";
		for my $i (1 .. $n) {
			printf "MMAP misc=(user) pid=5 tid=5 addr=%#x len=0x1000 filename=\"/nowhere/lib%d.so\"\n", 0x100000 + 0x2000 * $i, $i;
			printf "SAMPLE misc=(user) id=7 ip=%#x pid=5 tid=5 time=%d period=1000\n", 0x100100 + 0x2000 * $i, 1000 * ($i + 1);
		}
	},
	# Events, each with a name and a sample of the same stack.
	events => sub {
		print "BEGIN\n";
		event(100 + $_, $_) for 1 .. $n;
		print "SESSION version=1 byte_order=1 word_size=8 trailers=1 e_machine=62\n";
		root();
		stack(2, 1, frame('main'));
		print "EVENT_UPDATE subtype=2 id=", 100 + $_, " name=\"event$_\"\n" for 1 .. $n;
		print "SAMPLE misc=(user) id=", 100 + $_, " ip=0x1000 pid=5 tid=5 time=", 1000 * $_, " period=1000 stack=2\n" for 1 .. $n;
	},
	# Functions, each in a stack of two frames.
	names => sub {
		start();
		root();
		stack(2, 1, frame('main'));
		for my $i (1 .. $n) {
			stack(2 + $i, 2, frame("function$i"));
			sample(2 + $i, $i);
		}
	},
	# A chain of calls, with a sample of each function in it.
	depth => sub {
		start();
		root();
		for my $i (1 .. $n) {
			stack(1 + $i, $i, frame("f$i"));
			sample(1 + $i, $i);
		}
	},
	# A function that calls itself.
	recursion => sub {
		start();
		root();
		my $frame = frame('f');
		for my $i (1 .. $n) {
			stack(1 + $i, $i, $frame);
			sample(1 + $i, $i);
		}
	},
	# Leaves that differ, below one chain of n calls: a tree without common suffixes.
	leaves => sub {
		start();
		root();
		stack(1 + $_, $_, frame("f$_")) for 1 .. $n;
		for my $i (1 .. $n) {
			stack(1 + $n + $i, 1 + $n, frame("g$i"));
			sample(1 + $n + $i, $i);
		}
	},
	# The same stack of n frames in samples of n threads.
	deepgroups => sub {
		start();
		root();
		stack(1 + $_, $_, frame("f$_")) for 1 .. $n;
		for my $i (1 .. $n) {
			sample(1 + $n, $i, 5, 10 + $i);
		}
	},
	# Recordings one after the other.
	sessions => sub {
		for my $i (1 .. $n) {
			($strings, $frames) = (0, 0);
			start();
			root();
			stack(2, 1, frame('main'));
			sample(2, $i);
			print "END\n";
		}
	},
	# Ids of one event, with a sample of each.
	ids => sub {
		print "BEGIN\n";
		for my $first (map { 1000 * $_ } 0 .. ($n - 1) / 1000) {
			print "HEADER_ATTR attr_type=1 config=0 sample_period=1000 sample_type=(IDENTIFIER IP TID TIME PERIOD) flags=(sample_id_all)\n";
			my $last = $first + 1000 < $n ? $first + 1000 : $n;
			print "  id[", $_ - $first, "]=", 100 + $_, "\n" for $first .. $last - 1;
		}
		print "SESSION version=1 byte_order=1 word_size=8 trailers=1 e_machine=62\n";
		root();
		stack(2, 1, frame('main'));
		print "SAMPLE misc=(user) id=", 100 + $_, " ip=0x1000 pid=5 tid=5 time=", 1000 * $_, " period=1000 stack=2\n" for 0 .. $n - 1;
	},
	# Functions of the kernel that are loaded at overlapping addresses, and samples in them.
	ksymbols => sub {
		print "BEGIN\n";
		event(7, 0);
		for my $i (1 .. $n) {
			printf "KSYMBOL addr=%#x len=%d ksym_type=1 name=\"bpf_prog_%d\"\n", 0xffffffffc0000000 + 64 * $i, 0x10000000, $i;
			printf "SAMPLE misc=(kernel) id=7 ip=%#x pid=5 tid=5 time=%d period=1000\n", 0xffffffffc0000010 + 64 * $i, 1000 * ($i + 1);
		}
	},
	# Cgroups
	cgroups => sub {
		print "BEGIN\n";
		event(7, 0, 'IDENTIFIER IP TID TIME PERIOD CGROUP');
		for my $i (1 .. $n) {
			printf "CGROUP id=%d path=\"/a/b%d\"\n", $i, $i;
			printf "SAMPLE misc=(user) id=7 ip=0x1000 pid=5 tid=5 time=%d period=1000 cgroup=%d\n", 1000 * ($i + 1), $i;
		}
	},
	# Tasks that begin and end.
	forks => sub {
		print "BEGIN\n";
		event(7, 0);
		print "COMM pid=5 tid=5 comm=\"many\"\nMMAP misc=(user) pid=5 tid=5 addr=0x1000 len=0x1000 filename=\"/nowhere/a\"\n";
		for my $i (1 .. $n) {
			my $pid = 10 + $i;
			printf "FORK pid=%d tid=%d ppid=%d ptid=%d\n", $pid, $pid, $i == 1 ? 5 : $pid - 1, $i == 1 ? 5 : $pid - 1;
			printf "SAMPLE misc=(user) id=7 ip=0x1100 pid=%d tid=%d time=%d period=1000\n", $pid, $pid, 1000 * ($i + 1);
		}
	},
);

sub hex_bytes { return unpack('H*', $_[0]) }

sub format_text
{
	my ($name, $id, $fields) = @_;
	my $text = "name: $name\nID: $id\nformat:\n";
	my $offset = 0;
	for (['unsigned short common_type', 2], ['unsigned char common_flags', 1], ['unsigned char common_preempt_count', 1], ['int common_pid', 4], @$fields) {
		$text .= "\tfield:$_->[0];\toffset:$offset;\tsize:$_->[1];\tsigned:0;\n";
		$offset += $_->[1];
	}
	return "$text\nprint fmt: \"key=%u\", REC->key\n";
}

# tracing [NAME, ID]...: formats of the system "t" with a field key
sub tracing
{
	my $data = "\x17\x08\x44tracing0.6\0\0\x08" . pack('L<', 4096) . "header_page\0" . pack('Q<', 0) . "header_event\0" . pack('Q<', 0) . pack('L<', 0);
	$data .= pack('L<', 1) . "t\0" . pack('L<', scalar @_);
	for (@_) {
		my $text = format_text($_->[0], $_->[1], [['unsigned int key', 4]]);
		$data .= pack('Q<', length $text) . $text;
	}
	$data .= pack('L<', 0) . pack('L<', 0) . pack('Q<', 0);
	$data .= "\0" x (-length($data) % 8);
	open my $file, '>', 'tracing' or die "tracing: $!\n";
	print $file $data;
	close $file or die "tracing: $!\n";
	print "TRACING_DATA payload_size=", length $data, " payload=\@tracing\n";
}

my $with_raw = 'IDENTIFIER IP TID TIME CPU PERIOD RAW';

# Tracepoints, each with a format and a sample.
$shapes{formats} = sub {
	print "BEGIN\n";
	event(100 + $_, $_, $with_raw, 2) for 1 .. $n;
	tracing(map { ["event$_", $_] } 1 .. $n);
	printf "SAMPLE misc=(user) id=%d ip=0x1000 pid=5 tid=5 time=%d cpu=0 period=1 raw={2:%d 1:0 1:0 4:5 4:%d}\n", 100 + $_, 1000 * $_, $_, $_ for 1 .. $n;
};
# Spans with keys of their own, all of which are open at the same time.
$shapes{open} = sub {
	print "BEGIN\n";
	event(7, 1, $with_raw, 2);
	event(8, 2, $with_raw, 2);
	tracing(['begin', 1], ['end', 2]);
	for my $event (1, 2) {
		printf "SAMPLE misc=(user) id=%d ip=0x1000 pid=5 tid=5 time=%d cpu=0 period=1 raw={2:%d 1:0 1:0 4:5 4:%d}\n", 6 + $event, 1000 * ($event * $n + $_), $event, $_ for 1 .. $n;
	}
};
# Values of a field of a tracepoint.
$shapes{groups} = sub {
	print "BEGIN\n";
	event(7, 1, $with_raw, 2);
	tracing(['begin', 1]);
	printf "SAMPLE misc=(user) id=7 ip=0x1000 pid=5 tid=5 time=%d cpu=0 period=1 raw={2:1 1:0 1:0 4:5 4:%d}\n", 1000 * $_, $_ for 1 .. $n;
};

die "usage: growth.pl SHAPE N\nshapes: @{[sort keys %shapes]}\n" unless $n && $shapes{$shape};
$shapes{$shape}->();
print "END\n" unless $shape eq 'sessions';
