# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Sourced by tests of pictures over time: streams of spans.
. "$PK_TOP/tests/cli/pk-span/switches.bash"

# The events of a scheduler, with their names
sched_events()
{
	tracing
	both_events
	name 9 sched:sched_switch
	name 8 sched:sched_wakeup
}

# random_switches COUNT: tasks 1 to 6 on two processors; some are woken before they run, some twice
random_switches()
{
	header
	sched_events
	for task in 1 2 3 4 5 6; do
		comm $task $task "t$task"
	done
	perl -e '
		srand 11;
		my ($time, @on) = (1000, 0, 0);
		for (1 .. shift) {
			my $cpu = int rand 2;
			my $next = int rand 7;
			next if $next && $next == $on[1 - $cpu] || $next == $on[$cpu];
			$time += 1 + int rand 300;
			print "wakeup $time $cpu $on[$cpu] $next\n" if $next && rand() < 0.7;
			$time += int rand 50;
			printf "switch %d %d %d %d %d\n", $time, $cpu, $on[$cpu], $next, (0, 1, 2, 256)[rand 4];
			$on[$cpu] = $next;
		}' "$1" | while read -r what args; do
		# shellcheck disable=SC2086
		$what $args
	done
}

# many_waits: 60,000 short spans of three tasks, and six of 20 ms of another: a stream
many_waits()
{
	{
		header
		perl -e '
			srand 7;
			print "event lock:contention_begin void * lock_addr, unsigned int flags\nevent lock:contention_end void * lock_addr, int ret\n";
			my ($time, @long) = (1000);
			for my $i (1 .. 60000) {
				my $task = 1 + int rand 3;
				my $lock = 0x1000 * (1 + int rand 4);
				my $wait = 1 + int rand 30;
				print "$time $task 0 contention_begin $lock 1\n";
				$time += $wait;
				print "$time $task 0 contention_end $lock 0\n";
				$time += int rand 20;
				$time += 30000 if $i % 20000 == 0;
				if ($i % 10000 == 0) {
					printf "%d 9 0 contention_begin 1 1\n%d 9 0 contention_end 1 0\n", $time, $time + 20000;
					$time += 20001;
				}
			}' | perl "$PK_TOP/tests/cli/pk-span/presets.pl" formats
		finish
	} | assemble | pk-span -q --name wait --start contention_begin --end contention_end --key tid
}

# pieces SVG: LANE|NAME|START|END in ns since the left end, of each piece that is not merged
pieces()
{
	perl -ne '
		$all = $1 if /class="axis".*data-all="(\d+)"/;
		($x, $width) = ($1, $2) if /class="(?:pieces|frames)".* data-x="([\d.]+)" data-width="([\d.]+)"/;
		$lane{$1} = $2 if /^<g data-lane="(\d+)"><title>([^\n<]*)/;
		$row = $lane{$1} if /class="row" data-lane="(\d+)"/;
		$name = $1 if /<g fill=.*<title>(.*)<.title>/;
		print "$row|$name|", ($1 - $x) / $width * $all, "|", ($1 + $2 - $x) / $width * $all, "\n"
			if $x && !/data-n=/ && /<rect x="([\d.]+)" width="([\d.]+)"/;' "$1"
}

# without_code SVG: the picture without style and script
without_code()
{
	sed '/<style>/,/<\/style>/d; /<script>/,/<\/script>/d' "$1"
}
