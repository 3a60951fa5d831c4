# SPDX-License-Identifier: BSD-2-Clause
# Prints where the files use a status as a bool, name exhausted memory beside a bool, or exit in a library.
use strict;
use warnings;

# The file of a library that exits: pk_exit_no_memory(), for libraries that cannot continue.
my %exits = map { $_ => 1 } qw(lib/cli/message.c);

my (%text, %global, %own, %member);

# Replaces comments and texts by blanks, so that all places and lines stay the same.
sub code {
	my ($text) = @_;
	$text =~ s{(/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')}{my $t = $1; $t =~ s/[^\n]/ /g; $t}gse;
	return $text;
}

for my $file (@ARGV) {
	open my $in, '<', $file or die "$file: $!\n";
	local $/;
	my $all = <$in>;
	my $code = code($all);
	$text{$file} = [$all, $code];
	while ($code =~ /^([\w\t ()"]*?)\benum pk_status (?:PK_\w+ )?(\w+)\(/gm) {
		my ($before, $name) = ($1, $2);
		next if $before =~ /[(,]/ && $before !~ /__attribute__/;
		if ($before =~ /\bstatic\b/ && $file =~ /\.c$/) {
			$own{$file}{$name} = 1;
		} else {
			$global{$name} = 1;
		}
	}
	$own{$file}{$1} = 2 while $code =~ /^static (?!.*\benum pk_status\b)[\w\t *]*?(\w+)\(/gm;
	$member{$1} = 1 while $code =~ /\benum pk_status \(\*(?:const )?(\w+)\)/g;
}
# Members with this name that return something else are told apart by no one.
for my $file (keys %text) {
	delete $member{$1} while $text{$file}[1] =~ /\b(?:bool|int|void|uint64_t|double|char \*?) ?\(\*(?:const )?(\w+)\)/g;
}

my $nested;
$nested = qr/\((?:[^()]++|(??{$nested}))*+\)/;

for my $file (sort keys %text) {
	my ($all, $code) = @{$text{$file}};
	my $line = sub { 1 + (substr($all, 0, $_[0]) =~ tr/\n//) };
	my ($in_bool, %bool) = (0);

	# Where functions returning bool have their bodies.
	my @bools;
	push @bools, [$-[0], $+[0]] while $code =~ /^(?:static )?(?:inline )?bool \w+\([^;{]*\)\n\{.*?^\}/gms;
	while ($code =~ /(!?)((?:\b\w+(?:\[\w+\])?(?:->|\.))*)\b(\w+)($nested)/g) {
		my ($not, $path, $name, $start, $end) = ($1, $2, $3, $-[0], $+[0]);
		pos($code) = $+[3]; # calls in arguments
		my $status = $path ? $member{$name} : $own{$file}{$name} ? $own{$file}{$name} == 1 : $global{$name};
		next if !$status;
		my ($before, $after) = (substr($code, $start > 60 ? $start - 60 : 0, $start > 60 ? 60 : $start), substr($code, $end, 12));
		next if $before =~ /enum pk_status\s+(?:PK_\w+\s+)?$/;
		my $bad = '';
		if ($not) {
			$bad = "!$name()";
		} elsif ($after =~ /^\s*(==|!=)/) {
			next;
		} elsif ($before =~ /(&&|\|\|)\s*$/ || $after =~ /^\s*(&&|\|\|)/) {
			$bad = "$1 of $name()";
		} elsif ($before =~ /\b(if|while)\s*\(\s*$/ && $after =~ /^\s*\)/) {
			$bad = "$1 ($name())";
		} elsif ($before =~ /\b(assert|ck_assert|check_that|pk_likely|pk_unlikely)\($/) {
			$bad = "$1($name())";
		} elsif ($after =~ /^\s*\?(?!:)/) {
			$bad = "$name() ?";
		} elsif ($before =~ /[:?]\s*$/ && substr($code, $start > 400 ? $start - 400 : 0, $start > 400 ? 400 : $start) =~
			/(?:!|&&|\|\|)\s*\((?:[^();{}]|$nested)*$/) {
			$bad = "( ? : $name())";
		} elsif ($before =~ /\bbool \w+ =\s*$/) {
			$bad = "bool = $name()";
		} elsif ($before =~ /\breturn\s*$/ && $after =~ /^\s*;/) {
			$bad = "a bool is $name()" if grep { $_->[0] < $start && $start < $_->[1] } @bools;
		}
		print "$file:", $line->($start), ": $bad: compare the status with PK_OK\n" if $bad;
	}
	while ($code =~ /^(?:static )?(?:inline )?enum pk_status \w+\([^;{]*\)\n\{.*?^\}/gms) {
		my ($body, $at) = ($&, $-[0]);
		print "$file:", $line->($at + $-[0]), ": a status is returned that is a bool\n"
			while $body =~ /\breturn (?:true|false|[^;?]*[=!]= PK_OK);/g;
		print "$file:", $line->($at + $-[0]), ": PK_TRY() of a bool\n" while $body =~ /\bPK_TRY\([^;?]*[=!]= PK_OK\);/g;
	}
	print "$file:", $line->($-[0]), ": the status itself is the argument of $1\n"
		while $code =~ /\b(pk_need_room|pk_printed)\((?:[^();]|$nested)*[=!]=\s+PK_OK\)/g;
	next if $file !~ m{^(lib|pk)};

	# bool and exhausted memory
	while ($all =~ m{(/\*(?:(?!\*/).)*?\b(?:[Ff]alse)\b(?:(?!\*/).)*?\*/)\n(?:(?:static|inline|const) )*bool \w+\(}gs) {
		my ($comment, $at) = ($1, $-[0]);
		$comment =~ s/\s*\n\s*\*\s*/ /g;
		print "$file:", $line->($at), ": a bool that is false without memory: return an enum pk_status\n"
			if $comment =~ /[Ff]alse:? (?:if )?(?:there is no memory|out of memory|memory is exhausted)/;
	}
	next if $file !~ m{^lib.*\.c$} || $exits{$file};
	print "$file:", $line->($-[1]), ": a library that exits: return a status\n"
		while $code =~ /(?<!\w)(exit|pk_exit_no_memory|abort)\(/g;
}
