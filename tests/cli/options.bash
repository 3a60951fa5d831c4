# SPDX-License-Identifier: BSD-2-Clause
# Sourced by tests of --help: what a program's getopt tables, its --help and its manual page name.

# option_table PROGRAM: "--name" for each long option, "-x" for each short one
option_table()
{
	local sources=("$PK_TOP/$1"/*.c)
	! grep -q PK_COMMON_LONG "${sources[@]}" || sources+=("$PK_TOP/lib/cli/options.h")
	! grep -q PK_SYMBOLS_LONG "${sources[@]}" || sources+=("$PK_TOP/lib/cli/symbol_options.h")
	cat "${sources[@]}" | tr '\n' ' ' >sources
	{
		grep -oE '\{ *"[a-z0-9-]+", *(no|required|optional)_argument' sources | sed 's/.*"\(.*\)".*/--\1/'
		grep -oE '((getopt_long|pk_getopt)\([^")]*|PK_COMMON_SHORT +|(short|letters)[a-z_]*(\[\])? *= *)"[^"]*"' sources |
			sed 's/.*"\(.*\)"/\1/' | tr -d '+:-' | grep -o . | sed 's/^/-/'
	} | sort -u
}

# words_in: the options that the text on stdin names
words_in()
{
	grep -oE -- '(^|[^a-zA-Z0-9-])--?[a-zA-Z0-9][a-z0-9-]*' | sed 's/^[^-]//' | sort -u
}

# check_options PROGRAM: each option of the table is accepted, is in the manual page, and is in --help
# unless it is printed as left out
check_options()
{
	local option
	option_table "$1" >options
	[ "$(wc -l <options)" -ge 8 ] || echo "$1: fewer options than all programs have"
	sed -n 's/^\.It Fl/ Fl/p' "$PK_TOP/$1/$1.1" | sed 's/Fl Fl /Fl -/g; s/Fl /-/g' | words_in |
		comm -23 options - | sed "s/^/$1: the manual page lacks /"
	"$PK_BIN/$1" --help | words_in | comm -23 options - | sed "s/^/$1: --help leaves out /"
	# The options after it make a usage error, whether or not it takes one of them as its argument.
	while read -r option; do
		echo "$option: $("$PK_BIN/$1" "$option" --no-such --no-such </dev/null 2>&1)"
	done <options | grep -aE "^(-.*): .*(unrecognized option '\1'|invalid option -- )" | sed "s/^/$1: /"
	rm -f sources options
}
