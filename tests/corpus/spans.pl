# SPDX-License-Identifier: BSD-2-Clause
# spans.pl START_EVENT START_KEY END_EVENT END_KEY: reads lines of pk-script --ns -F tid,cpu,time,event,trace, prints the
# spans from each start to the next end with the same key, one a line: start, duration, key. The keys are regular
# expressions for "tid=N cpu=N " and the trace; their groups are the key.
use strict;
use warnings;

my ($start_event, $start_key, $end_event, $end_key) = @ARGV;
my %open;
while (<STDIN>) {
	next unless /^\s*(-?\d+)\s+\[(\d+)\]\s+(\d+)\.(\d+):\s+(\S+?):?\s(.*)$/;
	my ($text, $time, $event) = ("tid=$1 cpu=$2 $6", "$3$4" + 0, $5);
	if ($event =~ /^(?:$end_event)$/ && (my @end = $text =~ /$end_key/)) {
		my $key = join(' ', @end);
		my $start = delete $open{$key};
		printf "%d %d %s\n", $start, $time - $start, $key if defined $start;
	}
	if ($event =~ /^(?:$start_event)$/ && (my @start = $text =~ /$start_key/)) {
		$open{join(' ', @start)} = $time;
	}
}
