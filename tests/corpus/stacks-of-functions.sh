# SPDX-License-Identifier: BSD-2-Clause
# long
# Streams with stacks of functions and with stacks of addresses say the same, whatever the program asks of them.
. "$PK_TOP/tests/corpus/corpus.bash"

# Records in which the streams differ, which only --json prints: how they were made, and how much they define.
differs='"definition_name":"\(STAGE\|END\)"'

# alike WHAT: the files addresses and functions are, byte by byte.
alike()
{
	[ -s addresses ] || empty=$((empty + 1))
	cmp -s addresses functions && return
	complain "== $1"
	diff addresses functions | cut -c1-250 | head -n 20
}

# compare FILE PROGRAM [OPTION...]
compare()
{
	local file=$1
	shift
	"$@" by.address >addresses 2>/dev/null
	"$@" by.function >functions 2>/dev/null
	[[ $* != *--json* ]] || sed -i "/$differs/d" addresses functions
	alike "$file: $*"
}

compared=0 empty=0 files_found=0 least=20 step=1
[ -z "${PK_SAN-}" ] || least=5 step=4 # the sanitizers need several times as long
for path in "$PK_CORPUS"/own/*/data/*.data "$PK_CORPUS"/others/*.data*; do
	[ -f "$path" ] && [ $((++files_found % step)) = 0 ] || continue
	file=${path#"$PK_CORPUS"/}
	pk-symbolize -q --addresses "$path" >by.address 2>/dev/null
	pk-symbolize -q "$path" >by.function 2>/dev/null
	[ -s by.address ] || continue
	compared=$((compared + 1))
	compare "$file" pk-fold -q
	compare "$file" pk-fold -q --addresses
	compare "$file" pk-fold -q --by pid,symoff
	compare "$file" pk-script -q
	case $compared in
	*5)
		compare "$file" pk-script -q --json
		compare "$file" pk-annotate -q --hottest 5 -i
		;;
	esac
done
[ "$compared" -gt $least ] || complain "only $compared recordings were compared"
[ "$empty" -lt $((compared * 2)) ] || complain "$empty of the comparisons were of nothing"
exit $status
