# SPDX-License-Identifier: BSD-2-Clause
# Completions have all options of all programs, as their sources do; what bash completes.
. "$PK_TOP/tests/cli/options.bash"
made=$PK_BUILD/completions
for main in "$PK_TOP"/pk{,-*}/main.c; do
	program=${main%/main.c}
	program=${program##*/}
	option_table "$program" >table
	awk -F '\t' -v p="$program" '$1 == p { print $2; print $3 }' "$made/options" | grep . | sort -u >found
	diff table found >differences || echo "$program: $(grep '^[<>]' differences | tr '\n' ' ')"
	tr " ='" '\n' <"$made/bash/pk" | grep '^-' | sort -u | comm -23 table - | sed "s/^/$program: bash lacks /"
	grep -oE "'\*-[a-zA-Z0-9-]+" "$made/zsh/_pk" | cut -c 3- | sed 's/^\(-[^-]\)[-]$/\1/; s/=-$//' | sort -u |
		comm -23 table - | sed "s/^/$program: zsh lacks /"
	sed -n '/^complete/s/ -[adn] .*//p' "$made/fish/$program.fish" | grep -oE -e '-[sl] [a-zA-Z0-9-]+' | sed 's/-s /-/; s/-l /--/' | sort -u >found
	diff table found >differences || echo "$program: fish: $(grep '^[<>]' differences | tr '\n' ' ')"
done
undescribed=$(awk -F '\t' '$6 == ""' "$made/options" | wc -l)
[ "$undescribed" = 0 ] || echo "$undescribed options without a description"
# Fields are those of the table in the documentation, which a unit test compares with the code.
grep -c '^| `' "$PK_TOP/docs/fields.md" | awk '$1 < 40 { print "few fields" }'

. "$made/bash/pk"
try()
{
	COMP_LINE=$1 COMP_POINT=${#1} COMPREPLY=()
	_pk "${1%% *}"
	echo "$1: $(printf '%s\n' "${COMPREPLY[@]}" | LC_ALL=C sort -u | head -n 4 | tr '\n' ' ')"
}
for COMP_WORDBREAKS in $' \t\n"\'><=;|&(:' $' \t\n'; do
	try 'pk fl'
	try 'pk help wa'
	try 'pk flame --call'
	try 'pk -o x fl'
	try 'pk-record --ev'
	try 'pk-record -e page-f'
	try 'pk-record --event=cpu-clock,page-f'
	try 'pk-record -o '
	try 'pk-record -- pk-fol'
	try 'pk-report --by comm,ds'
	try 'pk-report --by=comm,ds'
	try 'pk-report --view c2'
	try 'pk-report --fail-on=lost,trunc'
	try 'pk-report profile'
	try 'pk-span sysc'
	try 'pk-plot fla'
	try 'pk-export perf'
done
