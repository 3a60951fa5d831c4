# SPDX-License-Identifier: BSD-2-Clause
# Data types that are much work: f(struct inner *p) accesses p[-1], and mentions other structures.
. "$PK_TOP/tests/cli/cost.bash"
. "$PK_TOP/tests/cli/stream.bash"
types()
{
	program "$1" "$1.root"
	pk-symbolize -q --symfs="$1.root" sample.pk >"$1.pk"
	bounded 3 200 pk-annotate -q --symfs="$1.root" --types "$1.pk" f >out
	grep -m1 -F -- '-8(%rdi)' out
}
{
	header
	event 1 7
	comm 5 5 prog
	maps_as 5 5 0x501000 0x1000 /x/prog 0x1000
	sample 7 5 0x501000
} | assemble >sample.pk
exec 2>&1
echo "== a structure with an array whose elements are the array itself"
types types-array
echo "== 4,000 structures, each with 8,192 members in 13 levels; 100 accesses"
types types-many
