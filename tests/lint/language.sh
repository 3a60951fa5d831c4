# SPDX-License-Identifier: BSD-2-Clause
# Comments, messages, documentation and manual pages are plain technical English: the phrases in language.txt do not occur in them.
. "$PK_TOP/tests/lint/files.bash"
command -v perl >/dev/null || {
	echo "no perl" >&2
	exit 77
}
phrases=$PK_TOP/tests/lint/language.txt

# hard_phrases FILE...: a line "FILE:LINE: PHRASE: use ADVICE" for each phrase in the comments and strings of C, in Markdown without its
# code, and in all other text.
hard_phrases()
{
	# shellcheck disable=SC2016 # perl's
	PHRASES=$phrases perl -0777 -e '
		open(my $list, "<", $ENV{PHRASES}) or die "$ENV{PHRASES}: $!";
		my @rules;
		for (split(/\n/, <$list>)) {
			if (/^use: (.*)/) { $rules[-1]{use} = $1 }
			elsif (!/^(#|try:|$)/) { push(@rules, { match => s/ /\\s+/gr }) }
		}
		my $any = join("|", map { $_->{match} } @rules);
		sub check {
			my ($file, $line, $text) = @_;
			return if $text !~ /(?<![\w-])(?:$any)(?![\w-])/i;
			for my $rule (@rules) {
				while ($text =~ /(?<![\w-])(?:$rule->{match})(?![\w-])/gi) {
					my $at = $line + (substr($text, 0, $-[0]) =~ tr/\n//);
					print "$file:$at: ", $& =~ s/\s+/ /gr, ": use $rule->{use}\n";
				}
			}
		}
		for my $file (@ARGV) {
			open(my $in, "<", $file) or next;
			my $text = <$in> // "";
			if ($file =~ /\.[ch]$/) {
				while ($text =~ m{(/\*.*?\*/|//[^\n]*)|"((?:[^"\\\n]|\\.)*)"|\x27(?:[^\x27\\\n]|\\.)*\x27}gs) {
					my $prose = $1 // $2 // next;
					my $line = 1 + (substr($text, 0, $-[0]) =~ tr/\n//);
					check($file, $line, $prose =~ s/\n\s*\*/\n/gr);
				}
				next;
			}
			if ($file =~ /\.md$/) {
				$text =~ s/^(```.*?^```)/$1 =~ tr{\n}{}cdr/gems;
				$text =~ s/`[^`\n]*`/`code`/g;
			}
			check($file, 1, $text);
		}' "$@"
}

# Each phrase finds its own example in all kinds of files, on its line, and only prose is checked.
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
n=0
while read -r example; do
	printf 'int behind;\n/* A comment.\n * %s */\n' "$example" >"$tmp/$n.c"
	printf 'int behind;\nconst char *text =\n\t"%s";\n' "$example" >"$tmp/$n.h"
	printf '# Title\n`behind`\n%s\n```\nbehind\n```\n' "$example" >"$tmp/$n.md"
	printf '.Sh NAME\n.Nm x\n%s\n' "$example" >"$tmp/$n.1"
	n=$((n + 1))
done < <(sed -n 's/^try: //p' "$phrases")
found=$(hard_phrases "$tmp"/*)
for f in "$tmp"/*; do
	grep -q "^$f:3: " <<<"$found" || complain "language.txt: nothing found in: $(sed -n 3p "$f")"
done
! grep -v '^[^:]*:3: ' <<<"$found" || complain "language.sh: the lines above are not prose"
[ "$(grep -c '^try: ' "$phrases")" = "$(grep -c '^use: ' "$phrases")" ] || complain "language.txt: a phrase without use: or try:"
[ "$(grep -c '^try: ' "$phrases")" = "$(grep -vcE '^(#|use: |try: |$)' "$phrases")" ] || complain "language.txt: a phrase without use: or try:"

mapfile -t all < <(files 'lib*.[ch]' 'pk/*.[ch]' 'pk-*.[ch]' '*.[1-8]' '*.md' NEWS)
while read -r line; do
	complain "$line"
done < <(hard_phrases "${all[@]}")
finish
