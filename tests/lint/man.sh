# SPDX-License-Identifier: BSD-2-Clause
# Every program has a manual page without faults, and page, --help and the table of options name the same options.
. "$PK_TOP/tests/lint/files.bash"
. "$PK_TOP/tests/cli/options.bash"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

while read -r page; do
	found=$(mandoc -T lint -W warning "$page" 2>&1 | grep -v 'referenced manual not found') &&
		complain "$found"
done < <(files '*.[1-8]')

# .It Fl o , Fl -output Ar file
in_page()
{
	grep '^\.It Fl' "$1" | sed 's/Fl Fl /Fl -/g' | grep -oE 'Fl -?[A-Za-z0-9][A-Za-z0-9-]*' | sed 's/Fl /-/'
}

# "--name required|optional|no": whether a long option has a value. A name stands before its value, or "Ns Op =".
values_in_page()
{
	sed -n 's/^\.It Fl/Fl/p' "$1" | sed 's/Fl Fl /Fl -/g' | perl -ne '
		for (split / , (?=Fl )/) {
			next unless /^Fl -([a-z0-9-]+)(.*)/;
			my ($name, $rest) = ($1, $2);
			print "--$name ", $rest =~ /^ Ns Op/ ? "optional" : $rest =~ /^ (Ar|Cm|Ns =)/ ? "required" : "no", "\n";
		}'
}

# Not its examples, where other programs' options stand too.
in_help()
{
	helps_of "$1" | grep -v '^  [a-z]' | grep -oE '(^|[][ ,|(])--?[A-Za-z0-9][a-z0-9-]*' | sed 's/^[^-]*//' |
		grep -xE -e '-[A-Za-z0-9]|--.*'
}

for main in pk{,-*}/main.c; do
	tool=${main%/main.c}
	[ -e "$main" ] || continue
	page=$tool/$tool.1
	if [ ! -e "$page" ]; then
		complain "$page: there is none"
		continue
	fi
	[ -x "$PK_BIN/$tool" ] || continue
	option_table "$tool" >"$work/in-code"
	in_page "$page" | sort -u >"$work/in-page"
	only=$(comm -23 "$work/in-code" "$work/in-page" | tr '\n' ' ')
	[ -z "$only" ] || complain "$page does not tell of $only"
	only=$(comm -13 "$work/in-code" "$work/in-page" | tr '\n' ' ')
	[ -z "$only" ] || complain "$page tells of $only, which $tool does not know"
	option_rows "$tool" | awk -F '\t' '$2 != "" { print $2, $3 }' | sort -u >"$work/values-in-code"
	only=$(values_in_page "$page" | sort -u | comm -13 "$work/values-in-code" - | tr '\n' ' ')
	[ -z "$only" ] || complain "$page has another value than the program, or none: $only"
	only=$(in_help "$tool" | sort -u | comm -13 "$work/in-code" - | tr '\n' ' ')
	[ -z "$only" ] || complain "$tool --help tells of $only, which it does not know"
done
finish
