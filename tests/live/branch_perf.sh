# SPDX-License-Identifier: BSD-2-Clause
# Branch stacks and the code between branches, as perf prints them: byte by byte with perf 7.2. perf 6.1 does not
# print the speculation of branches, and ends the last block at conditional branches, too.
perf=${PK_PERF:-perf}
"$perf" --version >/dev/null 2>&1 || skip "no perf"
data=$PK_TOP/tests/data/branches
"$PK_BUILD/tests/assemble/assemble" <"$data/branches.txt" >branches.pk || fail "assemble"
case $("$perf" --version) in
*' 6.'* | *' 5.'*) old=1 ;;
*) old=0 ;;
esac
for fields in brstack brstacksym brstackinsn brstackinsnlen insn,insnlen insn brstackinsn,insnlen; do
	"$perf" script -i branches.pk --symfs "$data" -F "time,ip,sym,$fields" 2>perf.err >perf.text || fail "$(cat perf.err)"
	pk-script -q --no-inline --symfs "$data" -F "time,ip,sym,$fields" branches.pk >text 2>err || fail "$(cat err)"
	if [ $old = 1 ]; then
		case $fields in
		brstack | brstacksym) sed -i 's|/- | |g; s|/-$||' text && sed -i 's/ *$//; s/  */ /g' text perf.text ;;
		esac
		[ "$(diff text perf.text | grep -c '^[<>]')" -le 4 ] || fail "$fields: $(diff text perf.text | head -n 5)"
	else
		cmp text perf.text || fail "$fields: $(diff text perf.text | head -n 5)"
	fi
done

# perf annotate: the shares of blocks that start at an instruction, and that end there.
marks()
{
	sed -n 's/^ *[0-9.]* : *\([0-9a-f]*\):.*#\( [-+].*\)$/\1\2/p' | sort -u
}

"$perf" annotate --stdio -i branches.pk --symfs "$data" 2>perf.err | marks >perf.marks
pk-symbolize -q --no-inline --symfs "$data" branches.pk | pk-annotate -q --min-percent 0 --blocks --symfs "$data" | marks >marks
[ "$(wc -l <marks)" -ge 30 ] || fail "marks: $(cat marks perf.err)"
cmp marks perf.marks || fail "marks: $(diff marks perf.marks)"

# perf report -b: functions at both ends. perf has [.] before them.
plain()
{
	grep -v -e '^#' -e '^$' | sed 's/\[\.\] //g; s/^ *//; s/ *$//; s/  */ /g' | LC_ALL=C sort
}

for keys in symbol_from,symbol_to,mispredict dso_from,dso_to,in_tx; do
	"$perf" report -b --stdio -i branches.pk --symfs "$data" -n -s $keys 2>perf.err </dev/null | plain >perf.text
	pk-report -q --symfs "$data" -n -s $keys branches.pk | plain >text
	[ -s perf.text ] || fail "no rows: $(cat perf.err)"
	cmp text perf.text || fail "$keys: $(diff text perf.text | head -n 5)"
done

# The cycles of all branches of a kind, and of the newest one of each sample.
assembled()
{
	awk "$1 { for (i = 1; i <= NF; i++) if (sub(/^cycles=/, \"\", \$i)) sum += \$i } END { print sum }" "$data/branches.txt"
}

all=$(pk-report -q --symfs "$data" --by mispredict --weight branch_cycles --show period --csv branches.pk | awk -F, 'NR > 1 { sum += $2 } END { print sum }')
newest=$(pk-symbolize -q --symfs "$data" branches.pk | pk-fold -q --weight branch_cycles | awk '{ sum += $NF } END { print sum }')
[ "$all" = "$(assembled '/branch\[/')" ] || fail "cycles: $all"
[ "$newest" = "$(assembled '/branch\[0\]/')" ] || fail "cycles of the newest branches: $newest"
