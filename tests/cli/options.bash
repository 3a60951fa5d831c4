# SPDX-License-Identifier: BSD-2-Clause
# Sourced by tests of --help: what a program's getopt tables, its --help and its manual page name.

# option_table PROGRAM: "--name" for each long option, "-x" for each short one
option_table()
{
	local sources=("$PK_TOP/$1"/*.[ch])
	! grep -q PK_COMMON_LONG "${sources[@]}" || sources+=("$PK_TOP/lib/cli/options.h")
	! grep -q PK_FOLD_LONG "${sources[@]}" || sources+=("$PK_TOP/lib/fold/fold_option.h")
	! grep -q PLOT_LONG "${sources[@]}" || sources+=("$PK_TOP/pk-plot"/*.h)
	! grep -q REPORT_LONG "${sources[@]}" || sources+=("$PK_TOP/lib/report/report_arguments.h")
	! grep -q PK_TAIL_LONG "${sources[@]}" || sources+=("$PK_TOP/lib/cli/tail.h")
	! grep -q PK_SYMBOLS_LONG "${sources[@]}" || sources+=("$PK_TOP/lib/cli/symbol_options.h")
	cat "${sources[@]}" | tr '\n' ' ' >sources
	! grep -q PK_COMMON_LONG_UNCONFINED "$PK_TOP/$1"/*.c || sed -i 's/{ *"no-sandbox"//' sources
	{
		grep -oE '\{ *"[a-z0-9-]+", *(no|required|optional)_argument' sources | sed 's/.*"\(.*\)".*/--\1/'
		grep -oE '((getopt_long|pk_getopt)\([^")]*|(PK_COMMON|REPORT)_SHORT +|(short|letters)[a-z_]*(\[\])? *= *)"[^"]*"' sources |
			sed 's/.*"\(.*\)"/\1/' | tr -d '+:-' | grep -o . | sed 's/^/-/'
	} | sort -u
}

# words_in: the options that the text on stdin names
words_in()
{
	grep -oE -- '(^|[^a-zA-Z0-9-])--?[a-zA-Z0-9][a-z0-9-]*' | sed 's/^[^-]//' | sort -u
}

# kinds_of PROGRAM: its kinds or formats, if their options follow them; else an empty line
kinds_of()
{
	"$PK_BIN/$1" --help | grep -qE "^Usage: $1 (KIND|FORMAT) \[OPTION" || { echo; return; }
	"$PK_BIN/$1" --help | sed -nE 's/^  ([a-z.]+)  +.*/\1/p'
}

# helps_of PROGRAM: its --help, and that of each kind
helps_of()
{
	local kind
	"$PK_BIN/$1" --help
	while read -r kind; do
		[ -z "$kind" ] || "$PK_BIN/$1" "$kind" --help
	done < <(kinds_of "$1")
}

# refused PROGRAM OPTION: says that the option is unknown. The options after it make a usage error, whether or not it
# takes one of them as its argument.
refused()
{
	local said
	# shellcheck disable=SC2086 # no kind
	{ said=$("$PK_BIN/$1" $kind "$2" --no-such --no-such </dev/null 2>&1); } 2>/dev/null
	[[ $said == *"unrecognized option '$2'"* || $said == *"invalid option -- '${2#-}'"* ]]
}

# check_options PROGRAM: each option of the table is accepted, is in the manual page, and is in --help
# unless it is printed as left out
check_options()
{
	local option kind kinds
	mapfile -t kinds < <(kinds_of "$1")
	option_table "$1" >options
	[ "$(wc -l <options)" -ge 8 ] || echo "$1: fewer options than all programs have"
	sed -n 's/^\.It Fl/ Fl/p' "$PK_TOP/$1/$1.1" | sed 's/Fl Fl /Fl -/g; s/Fl /-/g' | words_in |
		comm -23 options - | sed "s/^/$1: the manual page lacks /"
	helps_of "$1" | words_in | comm -23 options - | sed "s/^/$1: --help leaves out /"
	while read -r option; do
		for kind in '' "${kinds[@]}"; do
			refused "$1" "$option" || continue 2
		done
		echo "$1: $option is refused"
	done <options
	rm -f sources options
}
