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
