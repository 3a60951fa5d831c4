# SPDX-License-Identifier: BSD-2-Clause
# Data types that are much work: f(struct inner *p) accesses p[-1], and mentions other structures.
. "$PK_TOP/tests/cli/cost.bash"
. "$PK_TOP/tests/cli/stream.bash"
# types NAME OFFSET COUNT: of COUNT functions of 5 bytes, the first of them at OFFSET of the file
types()
{
	program "$1" "$1.root"
	{
		header
		event 1 7
		comm 5 5 prog
		maps_as 5 5 0x500000 0x3000 /x/prog
		for ((function = 0; function < $3; function++)); do
			sample 7 5 $((0x500000 + $2 + 5 * function))
		done
	} | assemble | pk-symbolize -q --symfs="$1.root" >"$1.pk"
	bounded 3 200 pk-annotate -q --symfs="$1.root" --types "$1.pk" 'f*' >out
	sed -n 's/^ *100.00 : *[0-9a-f]*: *//p' out | sort | uniq -c | head -5
}
exec 2>&1
echo "== a structure with an array whose elements are the array itself"
types types-array 0x1000 1
echo "== 4,000 structures, each with 8,192 members in 13 levels; 100 accesses"
types types-many 0x1000 1
echo "== 100 functions in a unit with 20,000 entries"
types types-unit 0x2000 100
