#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# generate.sh BIN OUT: writes completions for bash, zsh and fish to the folder OUT: OUT/bash/pk, OUT/zsh/_pk, OUT/fish/PROGRAM.fish
# for each program in the folder BIN. Options come from the option tables of the programs (--list-options), fields from
# docs/fields.md. Events, views, presets and commands are those of the programs at the time of the completion.
set -eu
bin=$1 out=$2
top=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$out/bash" "$out/zsh" "$out/fish"
here=$top/completions

# The option table of a program. If its first operand is a kind or a format, those of all kinds.
option_tables()
{
	"$1" --list-options </dev/null
	case $1 in
	*/pk-plot | */pk-export)
		"$1" --help | sed -n 's/^  \([a-z][a-z0-9.-]*\)   .*/\1/p' | while read -r kind; do
			"$1" "$kind" --list-options </dev/null
		done
		;;
	esac
}

# PROGRAM, letter, name, argument (no, required, optional), kind of its values, description
{
	for program in "$bin"/pk "$bin"/pk-*; do
		name=${program##*/}
		option_tables "$program" | sed "s/^/$name	/" | awk -F '\t' -v OFS='\t' -f "$here/kinds.awk"
	done
} >"$out/options"
fields=$(sed -n '/^## Fields of samples/,/^## /s/^| `\([a-z0-9_.]*\)` .*/\1/p' "$top/docs/fields.md" | sort -u | tr '\n' ' ')
for shell in bash zsh; do
	target=$out/$shell/pk
	[ $shell = bash ] || target=$out/$shell/_pk
	awk -F '\t' -v fields="${fields% }" -v functions="$here/functions.$shell" -f "$here/$shell.awk" "$out/options" >"$target"
done
for program in "$bin"/pk "$bin"/pk-*; do
	name=${program##*/}
	grep "^$name	" "$out/options" |
		awk -F '\t' -v fields="${fields% }" -v functions="$here/functions.fish" -f "$here/fish.awk" >"$out/fish/$name.fish"
done
