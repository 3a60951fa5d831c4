# SPDX-License-Identifier: BSD-2-Clause
# interpreted_truth.pl NOTED [SCRIPT]: compares the stacks that python_moments.c, ruby_moments.c or interpreted_moments.php noted with those that `pk-script -F event,trace,ip,sym,srcline`
# prints of its probe. Prints the number of moments, of equal ones, of those with a mark ([unread]), of others, and of those without a sample.
# Exits with 1 if more than 0.1 % differ, or more have a mark than --marked allows (5 %): code that is freed within ms cannot be read.
# --show N prints N of those that differ. --marked N allows marks in N percent of the moments.
use strict;
use warnings;
use Getopt::Long;

my ($show, $marked_max) = (0, 5);
GetOptions('show=i' => \$show, 'marked=i' => \$marked_max) or exit 2;
my ($noted_file, $script_file) = @ARGV;
my (%noted, $number);
open my $noted, '<', $noted_file or die "$noted_file: $!";
while (<$noted>) {
	if (/^moment (\d+)$/) {
		$number = $1;
		$noted{$number} = '';
	} elsif (/^(.*)\t(<.*>):(\d+)$/) {
		$noted{$number} .= "$2:$1 $3\n";
	} elsif (/^(.*)\t(.*\/)?([^\/]*):(\d+)$/) {
		$noted{$number} .= "$3:$1 $4\n";
	}
}

my ($equal, $marked, $other) = (0, 0, 0);
my ($frames, $name) = ('', '');
my $samples = 0;
$number = '';

sub finish
{
	return if $number eq '';
	my $expected = delete $noted{$number};
	$samples++;
	if (!defined $expected) {
		print "no moment $number\n" if $show-- > 0;
		$other++;
	} elsif ($expected eq $frames) {
		$equal++;
	} elsif ($frames =~ /\[unread\]/) {
		$marked++;
	} else {
		print "moment $number: noted\n${expected}recorded\n$frames\n" if $show-- > 0;
		$other++;
	}
	$number = '';
}

open my $script, '<', $script_file or die "$script_file: $!";
while (<$script>) {
	if (/ n=(\d+)/) {
		finish();
		($number, $frames) = ($1 || '', '');
	} elsif (/^\t *4[0-9a-f]{15} (.*?)(?: \(\[(?:python|ruby|php)\]\))?$/) {
		$frames .= $1;
		$name = 1;
	} elsif ($name && /^  .*:(\d+)$/) {
		$frames .= " $1\n";
		$name = '';
	} elsif ($name) {
		$frames .= " 0\n";
		$name = '';
	}
}
finish();
my $missing = keys %noted;
my $all = $equal + $marked + $other + $missing;
print "$all moments: $equal equal, $marked marked, $other different, $missing without a sample\n";
exit($all && $other + $missing <= $all * 0.001 && $marked <= $all * $marked_max / 100 ? 0 : 1);
