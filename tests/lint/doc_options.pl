# SPDX-License-Identifier: BSD-2-Clause
# doc_options.pl OPTIONS FILE...: reads the command lines of pk in documents as a shell and getopt_long do, and complains about
# options that the program lacks, and about options without their argument. OPTIONS has lines PROGRAM, letter, name, argument
# (no, required, optional), separated by tabs (completions/generate.sh). Command lines are in blocks of code and in backquotes.
# Further options in backquotes of their own are those of the last program on the line, up to a semicolon or a command of perf.
use strict;
use warnings;

my (%options, $place, $in_block);
my ($lines, $failed) = (0, 0);

open my $table, '<', shift or die;
while (<$table>) {
	my ($program, $letter, $name, $argument) = split /\t/;
	$options{$program}{$_} = $argument for grep { length } $letter, $name;
}

sub complain
{
	print "$place: @_\n";
	$failed = 1;
}

# The commands of a line, each a list of words, and the words in quotes.
sub commands
{
	my ($text) = @_;
	my (@commands, @quoted, $word);
	my @words;
	my $end = sub {
		push @words, $word if defined $word;
		undef $word;
	};

	while (length $text) {
		if ($text =~ s/^'([^']*)'//) {
			$word .= $1;
			push @quoted, $1;
		} elsif ($text =~ s/^"((?:[^"\\]|\\.)*)"//) {
			$word .= $1;
			push @quoted, $1;
		} elsif ($text =~ s/^\\(.)//s) {
			$word .= $1;
		} elsif (!defined $word && $text =~ s/^#.*//) {
		} elsif ($text =~ s/^\$\(//) {
			$word .= '$';
			$end->();
			push @commands, [@words];
			@words = ();
		} elsif ($text =~ s/^\s+//) {
			$end->();
		} elsif ($text =~ s/^[0-9]*[<>]+&?[0-9-]*\s*//) {
			$end->();
			$text =~ s/^[^\s|;&()]+//; # the file
		} elsif ($text =~ s/^[|;&()]//) {
			$end->();
			push @commands, [@words];
			@words = ();
		} else {
			$text =~ s/^(.)//s;
			$word .= $1;
		}
	}
	$end->();
	return ([@commands, [@words]], \@quoted);
}

# The options of one command. A name of an option in a sentence can lack its argument.
sub check_command
{
	my ($program, @words) = @_;
	my $known = $options{$program};
	my $argument;

	$lines++;
	while (defined(my $word = shift @words)) {
		my @names;

		last if $word eq '--';
		if ($word =~ /^(--[a-z0-9][a-z0-9-]*)(=?)/) {
			@names = ([$1, $2]);
		} elsif ($word =~ /^-([A-Za-z].*)/) {
			my $letters = $1;
			while ($letters =~ s/^(.)//) {
				my $takes = $known->{"-$1"} // 'no';
				push @names, ["-$1", $takes ne 'no' && length $letters ? '=' : ''];
				last if $takes ne 'no';
			}
		} else {
			last if $program =~ /^pk(|-record|-stat)$/; # the command to run
			next;
		}
		for (@names) {
			my ($name, $value) = @$_;
			if (!exists $known->{$name}) {
				complain("$program has no option $name");
				next;
			}
			$argument = $known->{$name};
			complain("$program: $name takes no argument") if $argument eq 'no' && $value && $name =~ /^--/;
			next if $argument ne 'required' || $value;
			complain("$program: $name without its argument") if !@words && $in_block;
			shift @words;
		}
	}
}

sub check_text
{
	my ($text) = @_;
	my ($commands, $quoted) = commands($text);
	my $last;

	for (@$commands) {
		my @words = @$_;

		shift @words while @words && $words[0] =~ /^(\$|time|sudo|exec|nice|then|do|[A-Z_]+=.*)$/;
		next if !@words || $words[0] !~ m{^(?:\S*/)?(pk(?:-[a-z-]+)?)$};
		$last = $1;
		next if !exists $options{$last}; # a name of a file or a package, or a placeholder such as pk-x
		check_command($last, @words[1 .. $#words]);
	}
	check_text($_) for grep { /\bpk-[a-z]+ /} @$quoted;
	return $last;
}

for my $file (@ARGV) {
	my ($block, $start) = '';

	open my $in, '<', $file or die "$file: $!";
	while (<$in>) {
		chomp;
		if (/^    (?:\$ )?(.*)/ || (length $block && /^\s*(.*)/)) {
			$start = $. if !length $block;
			$block .= $1;
			next if $block =~ s/\\$/ / || $block =~ /\|\s*$/;
			($place, $in_block) = ("$file:$start", 1);
			check_text($block) if $block =~ /\bpk\b/;
			$block = '';
			next;
		}
		my $program;
		($place, $in_block) = ("$file:$.", 0);
		while (/`([^`]+)`|;|[.:)] |\bperf [a-z]/g) {
			my $code = $1;
			if (!defined $code || $code =~ /^perf\b/) {
				undef $program;
			} elsif ($code =~ /^-/ && defined $program && exists $options{$program}) {
				(my $text = $code) =~ s/\\\|/|/g;
				my ($commands) = commands($text);
				check_command($program, @{$commands->[0]});
			} elsif ($code !~ /^-/) {
				(my $text = $code) =~ s/\\\|/|/g;
				$program = check_text($text) // $program;
			}
		}
	}
}
print STDERR "$lines command lines of pk\n";
exit($failed || !$lines);
