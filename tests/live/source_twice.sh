# SPDX-License-Identifier: BSD-2-Clause
# Source lines of the stream for addresses without a symbol there: the file has the symbol, but its inlined functions
# are not added to those of the stream.
. "$PK_TOP/tests/live/fold.bash"
. "$PK_TOP/tests/cli/stream.bash"

compile inlines.c program -g -O2 || fail "$(cat compile.err)"
read -r start size < <(nm -S program | sed -n 's/^\([^ ]*\) \([^ ]*\) t hash$/0x\1 0x\2/p')
[ "${size-}" ] || skip "the function has no symbol"
inlined=64
{
	header
	event 1 7
	session
	maps 5 0 0x100000 "$PWD/program"
	echo "IMAGE id=1 kind=1 path=\"$PWD/program\""
	for ((at = start; at < start + size; at += 4)); do
		echo "SOURCE image=1 address=$at count=$((inlined + 1))"
		for ((i = 0; i <= inlined; i++)); do
			echo "  source[$i].flags=$((i < inlined)) source[$i].line=$((i + 1)) source[$i].file_length=1"
			printf '  source[%d].function_length=4 source[%d].function="in%02d" source[%d].file="f"\n' $i $i $i $i
		done
		sample 7 5 $at
	done
	finish
} | assemble >stream.pk
pk-symbolize -q stream.pk >named.pk || fail "pk-symbolize: status $?"
pk-fold -q --weight=samples named.pk >folded
awk -F'[; ]' '$2 != "hash" || $3 != "in63" || NF != 67 { exit 1 }' folded || fail "$(cut -c1-200 folded | head)"
