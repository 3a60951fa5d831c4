# SPDX-License-Identifier: BSD-2-Clause
# Metrics on counters of known values (tests/faults/fake_counters.c): each metric has the value that its member Expected has in
# Perl. The machine needs no counters of hardware.
set -u
dir=$PWD/sys/bus/event_source/devices/cpu
mkdir -p "$dir/format"
echo 4 >"$dir/type"
echo config:0-7 >"$dir/format/event"
echo config:8-15 >"$dir/format/umask"
echo config:24-31 >"$dir/format/cmask"
export SYSFS_PATH=$PWD/sys PK_EVENTS_DIR=$PK_TOP/tests/data/metrics/expressions.json FAKE_COUNTERS_END=$PWD/end
# Address sanitizers must be loaded first.
[ -z "$PK_SAN" ] || {
	echo "a library is preloaded" >&2
	exit 77
}

# count OPTION...: prints what pk-stat prints on counters of known values.
count()
{
	rm -f end
	LD_PRELOAD=$PK_BUILD/tests/faults/fake_counters.so pk-stat -q -j -o json "$@" -- touch end && cat json
}
count -e stalls.mem,stalls.all,lines.in >counts || exit
count -M all >values || exit
perl -MJSON::PP -e '
	my ($file, @outputs) = @ARGV;
	sub lines { open my $in, "<", $_[0] or die; return map { s/: *-?nan/: null/r } <$in> }
	my %count = map { my $x = decode_json($_); (lc $x->{event} => $x->{"counter-value"}) } lines($outputs[0]);
	my %value;
	for (lines($outputs[1])) {
		my $x = decode_json($_);
		$value{$1} = $x->{"metric-value"} if ($x->{"metric-unit"} // "") =~ /(\w+)$/;
	}
	my ($mem, $all, $lines) = @count{qw(stalls.mem stalls.all lines.in)};
	my $bad = !($mem > 1e6 && $all > 1e6 && $lines > 1e6 && $mem != $all);
	open my $in, "<", $file or die;
	for (@{decode_json(join "", <$in>)}) {
		my $name = $_->{MetricName} // next;
		my $want = eval($_->{Expected} =~ s/\b(mem|all|lines)\b/\$$1/gr);
		my $got = $value{$name};
		next if defined $got && abs($got - $want) <= 1e-6 * abs($want) + 1e-6;
		print "$name: $_->{MetricExpr}: ", $got // "no value", " instead of $want\n";
		$bad = 1;
	}
	exit $bad' "$PK_EVENTS_DIR" counts values
