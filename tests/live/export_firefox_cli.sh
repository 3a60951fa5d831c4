# SPDX-License-Identifier: BSD-2-Clause
# timeout: 300
# The Firefox Profiler's own reader, profiler-cli of npm's @firefox-devtools/profiler-cli, finds the threads, functions and markers of
# pk-report in profiles of pk-export firefox. It needs Node.js 24.
. "$PK_TOP/tests/live/export.bash"
for program in profiler-cli node perl; do
	command -v $program >/dev/null || skip "$program is not installed"
done
[ "$(node -p 'process.versions.node.split(".")[0]')" -ge 24 ] || skip "node is older than 24"
# Paths of sockets are short.
PROFILER_CLI_SESSION_DIR=$(mktemp -d /tmp/pk-firefox.XXXXXX)
export PROFILER_CLI_SESSION_DIR
trap 'profiler-cli stop --all >/dev/null 2>&1; rm -rf "$PROFILER_CLI_SESSION_DIR"' EXIT

# load FILE: the daemon has read it; it starts in the background if it needs more than half a second
load()
{
	profiler-cli load "$1" >load.log 2>&1 && return
	for _ in {1..300}; do
		profiler-cli thread list >/dev/null 2>&1 && return
		sleep 0.1
	done
	cat load.log
	return 1
}

# try STREAM
try()
{
	of_report period "$1" >rows
	pk-export firefox -q -o out.json.gz "$1"
	load out.json.gz || {
		complain "$1: profiler-cli cannot load it"
		return
	}
	profiler-cli thread list --json --limit 0 >threads.json
	perl -ne 'print "$1\n" if /"threadHandle": "(t-\d+)"/' threads.json >handles
	pk-report -q --csv --event '*' --merge-events --by comm,pid,tid --show samples "$1" 2>/dev/null | sed 1d | cut -d , -f 4 | sort -u >expected
	perl -ne 'print "$1\n" if /"tid": (\d+)/' threads.json | sort -u >found
	same "$1, threads"
	while read -r handle; do
		echo "thread $handle"
		profiler-cli thread functions --thread "$handle" --include-idle --json --limit 0
		profiler-cli thread markers --thread "$handle" --json
	done <handles >read.json
	profiler-cli stop >/dev/null
	# Sums of all threads, in nanoseconds or samples; the event is in the thread's name if there are several.
	perl -e '
		use strict;
		use warnings;
		my ($only) = @ARGV;
		my (%self, %total, %markers, $event, $factor, $name);
		while (<STDIN>) {
			if (/"friendlyThreadName": "(.*)"/) { $event = $1 =~ / \((\S+)\)$/ ? $1 : $only }
			elsif (/"weightType": "(.*)"/) { $factor = $1 eq "tracing-ms" ? 1e6 : 1 }
			elsif (/^      "name": "(.*)",$/) { $name = $1 =~ /^\[.*\]$/ ? "" : $1 }
			elsif (/^      "selfSamples": ([\d.e-]+)/) { $self{"$event\t$name"} += $1 * $factor }
			elsif (/^      "totalSamples": ([\d.e-]+)/) { $total{"$event\t$name"} += $1 * $factor }
			elsif (/"markerName": "(.*)"/) { $name = $1 }
			elsif (/^      "count": (\d+)/ && $name) { $markers{$name} += $1 }
			elsif (/"byCategory"/) { $name = "" }
		}
		open my $functions, ">", "functions" or die;
		printf $functions "%s\t%.0f\t%.0f\n", $_, $self{$_}, $total{$_} for keys %total;
		open my $markers, ">", "marked" or die;
		print $markers "$_\t$markers{$_}\n" for keys %markers;' "$(head -n 1 rows | cut -f 1)" <read.json
	grep -v $'\t\t' rows >expected # a stack with several unresolved functions counts for each of them in the profiler
	grep -v $'\t\t' functions | LC_ALL=C sort >found
	same "$1, functions"
	pk-report -q --csv --event '*' --merge-events --by event --show samples "$1" 2>/dev/null | tr -d '"' |
		awk -F , 'NR > 1 && $2 ~ /:/ && $2 !~ /^(cpu|task)-clock/ { print $2 "\t" $1 }' | LC_ALL=C sort >expected
	LC_ALL=C sort marked >found
	[ ! -s expected ] || same "$1, markers"
}

for name in x86_64 arm64 s390x; do
	cp "$PK_TOP/tests/data/$name.pk.zst" $name.pk
	try $name.pk
done
pk-span --name=writes --start=sys_enter_write --end=sys_enter_write --key tid arm64.pk >spans.pk 2>/dev/null
try spans.pk
[ $compared -ge 9 ] || complain "$compared lists were compared"
exit $status
