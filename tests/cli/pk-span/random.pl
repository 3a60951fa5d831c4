# SPDX-License-Identifier: BSD-2-Clause
# random.pl SEED NESTED OPEN: prints wakeups (starts) and switches (ends) in random order for `assemble`, and writes
# the spans that a simple model makes of them to "expected", its numbers to "numbers".
use strict;
use warnings;

my ($seed, $nested, $most) = @ARGV;
srand($seed);
my (@open, @spans);    # open: [task, time], the oldest first
my ($time, $starts, $replaced, $dropped, $unstarted) = (1000, 0, 0, 0, 0);

# The index of the youngest open span of a task; -1: none.
sub youngest
{
	my $task = shift;
	for (my $i = $#open; $i >= 0; $i--) {
		return $i if $open[$i][0] == $task;
	}
	return -1;
}

for (1 .. 400) {
	my $task = 1 + int(rand(7));
	$time += int(rand(3));
	if (rand() < 0.5) {
		print "wakeup $time 0 9 $task\n";
		my $i = youngest($task);
		if (!$nested && $i >= 0) {
			my $start = (splice(@open, $i, 1))->[1];
			push @spans, sprintf("start=%d duration=%d pid=%d gap=0 unfinished=2", 1000 * $start, 1000 * ($time - $start), $task);
			$replaced++;
		}
		while (@open >= $most) {
			shift @open;
			$dropped++;
		}
		push @open, [$task, $time];
		$starts++;
	} else {
		print "switch $time 0 8 $task\n";
		my $i = youngest($task);
		if ($i < 0) {
			$unstarted++;
			next;
		}
		my $start = (splice(@open, $i, 1))->[1];
		push @spans, sprintf("start=%d duration=%d pid=%d gap=0 unfinished=0", 1000 * $start, 1000 * ($time - $start), $task);
	}
}
open(my $expected, '>', 'expected') or die;
print $expected map("$_\n", @spans), map(sprintf("start=%d duration=%d pid=%d gap=0 unfinished=1\n", 1000 * $_->[1], 1000 * ($time - $_->[1]), $_->[0]), @open);
open(my $numbers, '>', 'numbers') or die;
printf $numbers "%d starts, %d spans, %d never ended, %d open, %d dropped, %d without a start\n", $starts, scalar(@spans) - $replaced, $replaced, scalar(@open), $dropped, $unstarted;
