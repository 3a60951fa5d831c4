# SPDX-License-Identifier: BSD-2-Clause
# Sourced by tests of --help: what a program's table of options, its --help and its manual page name.

# option_rows PROGRAM: the lines of --list-options, of all kinds of the program
option_rows()
{
	local kind
	"$PK_BIN/$1" --list-options </dev/null
	while read -r kind; do
		[ -z "$kind" ] || "$PK_BIN/$1" "$kind" --list-options </dev/null
	done < <(kinds_of "$1")
}

# option_table PROGRAM: "--name" for each long option, "-x" for each short one
option_table()
{
	option_rows "$1" | cut -f 1,2 | tr '\t' '\n' | grep . | sort -u
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

# misspelt PROGRAM: an option of the program or of one of its kinds, with a letter too many, is answered by that option
misspelt()
{
	local kind name wrong said
	while read -r kind; do
		while read -r name; do
			wrong=--${name:2:1}${name:2}
			# shellcheck disable=SC2086 # no kind
			said=$("$PK_BIN/$1" $kind "$wrong" </dev/null 2>&1)
			[[ $said == *"no option $wrong; $name?"* ]] || echo "$1 $kind $wrong: ${said%%$'\n'*}"
		done < <("$PK_BIN/$1" $kind --list-options </dev/null | cut -f 2 | grep .)
	done < <(kinds_of "$1" && { [ -z "$(kinds_of "$1")" ] || echo; })
}

# check_options PROGRAM: each option of the table is in the manual page and in --help, and answers its misspelling; what is
# not so is printed
check_options()
{
	option_table "$1" >options
	[ "$(wc -l <options)" -ge 7 ] || echo "$1: fewer options than all programs have"
	sed -n 's/^\.It Fl/ Fl/p' "$PK_TOP/$1/$1.1" | sed 's/Fl Fl /Fl -/g; s/Fl /-/g' | words_in |
		comm -23 options - | sed "s/^/$1: the manual page lacks /"
	helps_of "$1" | words_in | comm -23 options - | sed "s/^/$1: --help leaves out /"
	option_rows "$1" | cut -f 1,2 | tr '\t' '\n' | grep . | sort | uniq -d >twice
	[ "$(kinds_of "$1")" ] || sed "s/^/$1: twice in the table: /" twice
	rm -f options twice
	misspelt "$1"
}
