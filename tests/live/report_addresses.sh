# SPDX-License-Identifier: BSD-2-Clause
# data_symbol, branch_from and branch_to name variables and functions of a program, with and without pk-symbolize.
. "$PK_TOP/tests/cli/stream.bash"
for tool in "${CC:-cc}" nm readelf; do
	command -v "${tool%% *}" >/dev/null || {
		echo "no $tool" >&2
		exit 77
	}
done
cat >prog.c <<'SOURCE'
int table[64];
static long other[8] = {1};
__attribute__((noinline)) int work(int i) { return table[i & 63] += (int)other[i & 7]; }
int main(int argc, char **argv) { (void)argv; return work(argc); }
SOURCE
${CC:-cc} -O1 -no-pie -o prog prog.c || exit

# address SYMBOL
address()
{
	nm prog | awk -v name="$1" '$3 == name { print "0x" $1 }'
}

{
	header
	echo 'HEADER_ATTR attr_type=4 config=1 sample_period=1 id=1 attr_size=80'
	echo '  sample_type=(IDENTIFIER IP TID TIME ADDR BRANCH_STACK) flags=(sample_id_all) branch_sample_type=9'
	name 1 loads
	comm 5 5 prog
	readelf -lW prog | awk '$1 == "LOAD" { print $3, $5, $2, / R E / ? 5 : / RW / ? 3 : 1 }' | while read -r start size offset prot; do
		maps_as "$prot" 5 $((start & ~4095)) $(((size + (start & 4095) + 4095) & ~4095)) "$PWD/prog" $((offset & ~4095))
	done
	for variable in table other; do
		echo "SAMPLE misc=(user) id=1 ip=$(address work) pid=5 tid=5 time=10 addr=$(($(address $variable) + 4))"
		echo "  branch[0]=$(($(address main) + 1)) -> $(address work) predicted=1"
		echo "  branch[1]=$(($(address work) + 1)) -> 0x10 predicted=1"
	done
} | assemble >prog.pk
pk-symbolize -q prog.pk >symbolized.pk || exit
cat >expected <<'ROWS'
event,samples,data_symbol,branch_from,branch_to
loads,1,other+0x4,main,work
loads,1,other+0x4,work,0x0000000000000010
loads,1,table+0x4,main,work
loads,1,table+0x4,work,0x0000000000000010
ROWS
for stream in prog.pk symbolized.pk; do
	pk-report -q --csv --by=data_symbol,branch_from,branch_to --show=samples $stream >found 2>err || cat err
	diff expected found || exit 1
done
[ "$(pk-filter -q --where 'data_symbol == "table+0x4"' prog.pk | pk-script -q --json -F data_symbol,branch_to | grep -c 'table+0x4","branch_to":"work"')" = 1 ] || {
	echo "pk-filter and pk-script do not find the variable"
	exit 1
}
