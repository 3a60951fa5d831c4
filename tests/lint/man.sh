# SPDX-License-Identifier: BSD-2-Clause
# Every program has a manual page without faults, and page, --help and code name the same options.
. "$PK_TOP/tests/lint/files.bash"
. "$PK_TOP/tests/cli/options.bash"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

while read -r page; do
	found=$(mandoc -T lint -W warning "$page" 2>&1 | grep -v 'referenced manual not found') &&
		complain "$found"
done < <(files '*.[1-8]')

# The words of getopt_long: {"name", no_argument...} and the string of letters.
in_code()
{
	cat "$1"/*.[ch] >"$work/code"
	grep -q 'PK_COMMON_LONG\>' "$work/code" && cat lib/cli/options.h >>"$work/code"
	grep -q PK_COMMON_LONG_UNCONFINED "$work/code" && grep -v no-sandbox lib/cli/options.h >>"$work/code"
	grep -q PK_FOLD_LONG "$work/code" && cat lib/fold/fold_option.h >>"$work/code"
	grep -q PLOT_LONG "$work/code" && cat pk-plot/*.h >>"$work/code"
	grep -q REPORT_LONG "$work/code" && cat lib/report/report_arguments.h >>"$work/code"
	grep -q PK_TAIL_LONG "$work/code" && cat lib/cli/tail.h >>"$work/code"
	grep -q PK_SYMBOLS_LONG "$work/code" && cat lib/cli/symbol_options.h >>"$work/code"
	tr '\n' ' ' <"$work/code" >"$work/line" && mv "$work/line" "$work/code"
	grep -oE '\{ *"[a-z0-9-]+", *(no|required|optional)_argument' "$work/code" |
		sed 's/.*"\(.*\)".*/--\1/'
	grep -oE '(getopt_long|pk_getopt)\([^")]*"[^"]*"|(short|letters)[a-z_]*(\[\])? *= *"[^"]*"|(PK_COMMON|REPORT)_SHORT +"[^"]*"' "$work/code" |
		sed 's/.*"\(.*\)"/\1/' | tr -d '+:-' | grep -o . | sed 's/^/-/'
}

# .It Fl o , Fl -output Ar file
in_page()
{
	grep '^\.It Fl' "$1" | sed 's/Fl Fl /Fl -/g' | grep -oE 'Fl -?[A-Za-z0-9][A-Za-z0-9-]*' | sed 's/Fl /-/'
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
	in_code "$tool" | sort -u >"$work/in-code"
	in_page "$page" | sort -u >"$work/in-page"
	only=$(comm -23 "$work/in-code" "$work/in-page" | tr '\n' ' ')
	[ -z "$only" ] || complain "$page does not tell of $only"
	only=$(comm -13 "$work/in-code" "$work/in-page" | tr '\n' ' ')
	[ -z "$only" ] || complain "$page tells of $only, which $tool does not know"
	[ -x "$PK_BIN/$tool" ] || continue
	only=$(in_help "$tool" | sort -u | comm -13 "$work/in-code" - | tr '\n' ' ')
	[ -z "$only" ] || complain "$tool --help tells of $only, which it does not know"
done
finish
