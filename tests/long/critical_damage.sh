# SPDX-License-Identifier: BSD-2-Clause
# timeout: 1800
# pk-span critical of a recording of switches and wakeups: cut at many bytes, and with bytes inverted. It must not crash or
# hang, and the pieces of each path that it writes must be exactly as long as the span.
. "$PK_TOP/tests/live/record.bash"
command -v perl >/dev/null || skip 'perl is not installed'
zstd -qdc "$PK_TOP/tests/data/arm64.pk.zst" | pk-filter -q --head=200 | pk-symbolize -q --kallsyms=/dev/null |
	pk-span -q --name s --start '*' --end '*' --key cpu --again keep --pass -o spans.pk || fail 'no input'
cat >damage.pl <<'EOP'
use strict;
my ($stride, $file) = @ARGV;
my ($runs, $whole, $bad) = (0, 0, 0);
sub run {
	my ($what, $bytes) = @_;
	open my $out, '>', 'damaged.pk' or die;
	print $out $bytes;
	close $out;
	my $status = system 'timeout 30 pk-span -q critical --critical-of pk:s --critical-id cpu damaged.pk >path.pk 2>err';
	$runs++;
	if ($status & 127 || $status >> 8 > 2) { print "$what: status $status\n"; $bad++; return }
	return if $status;
	$whole++;
	my (%sum, %all);
	for (`pk-script -q --json path.pk 2>/dev/null`) {
		next unless /"event":"pk:critical"/ && /"duration":(\d+),"depth":\d+,"span":(\d+),"span_duration":(\d+)/;
		$sum{$2} += $1;
		$all{$2} = $3;
	}
	for (keys %sum) {
		next if $sum{$_} == $all{$_};
		print "$what: the pieces of span $_ are $sum{$_} ns, not $all{$_}\n";
		$bad++;
	}
}
open my $in, '<', $file or die;
my $input = do { local $/; <$in> };
run('unchanged', $input);
die "not whole\n" unless $whole;
for (my $at = 1; $at < length $input; $at += $stride) {
	my $damaged = $input;
	substr($damaged, $at, 1) = chr(255 - ord substr $input, $at, 1);
	run("byte $at", $damaged);
	run("cut at $at", substr $input, 0, $at) if $at % 3 == 0;
}
print STDERR "$runs damages, $whole outputs are whole\n";
exit $bad != 0;
EOP
perl damage.pl "${STRIDE:-37}" spans.pk >bad || fail "$(head -n 20 bad)"
exit 0
