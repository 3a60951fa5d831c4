# SPDX-License-Identifier: BSD-2-Clause
# Places, lines and variables are those of perf probe. Where perf cannot place a probe, or leaves out a variable,
# nothing is compared. PK_PERF is the perf.
. "$PK_TOP/tests/live/record.bash"

perf=${PK_PERF:-perf}
"$perf" probe -h 2>&1 | grep -q -e --line || skip "no perf probe with debugging information"
may_define_probes || skip "no tracefs, or a folder with blanks"
[ "$(uname -m)" = x86_64 ] || skip "registers are named for x86_64"
command -v "${CC:-gcc}" >/dev/null || skip "no compiler"
for level in 0 2; do
	"${CC:-gcc}" -g -O$level -o known$level "$PK_TOP/tests/live/workload/known_values.c" || fail "no program"
done

# The definitions that both would give the kernel: place, registers and offsets, types.
same=0
definition() # definition OBJECT PROBE
{
	"$perf" probe -x ./$1 -D "$2" 2>/dev/null >wanted || return 0
	pk-record -x ./$1 --probe "$2" --dry-run 2>err | sed -n 's/^  \([pr]:.*\)/\1/p' >got || fail "$2: $(cat err)"
	# perf names a symbol for an address, and leaves some names of fields and types to the kernel.
	sed -i 's/ [a-z0-9_]*=/ /g; s/@counter+0/@counter/; s/\$retval$/$retval:s64/' wanted
	sed -i 's/ [a-z0-9_]*=/ /g; s/@+0x[0-9a-f]*/@counter/' got
	cmp -s wanted got || fail "$1 $2: perf: $(cat wanted); pk: $(cat got)"
	same=$((same + 1))
}
for level in 0 2; do
	for probe in work 'work t count' 'work t->ptr->x[2]' 'work t->next->name:x64' 'work t->own.high' 'work counter' \
		work:5 'work:5 t' 'other a text' 'other a:u8' other%return 'other%return $retval' main work:8 known_values.c:42; do
		definition known$level "$probe"
	done
done
[ $same -ge 24 ] || fail "only $same definitions were compared"

lines() # the numbers of lines with code
{
	sed -n 's/^ *\([0-9][0-9]*\)  .*/\1/p'
}
for function in work other main; do
	"$perf" probe -x ./known2 -L $function 2>/dev/null | lines >wanted
	pk-record -x ./known2 --list-lines $function 2>err | lines >got || fail "$function: $(cat err)"
	[ -s wanted ] && cmp -s wanted got || fail "lines of $function: perf: $(tr '\n' ' ' <wanted); pk: $(tr '\n' ' ' <got)"
done

# pk also lists variables whose value the compiler knows. perf 6.1 does not know the type of void pointers.
for place in work work:5 other; do
	"$perf" probe -x ./known2 -V $place 2>/dev/null | sed -n '/unknown_type/d; s/^\t\t\(.*\)/\1/p' | sort -u >wanted
	pk-record -x ./known2 --list-vars $place 2>err | awk -F '\t' '/^\t/ { print $2 "\t" $3 }' | sort -u >got
	[ -s wanted ] && [ -z "$(comm -23 wanted got)" ] || fail "variables of $place: perf: $(cat wanted); pk: $(cat got) $(cat err)"
done
exit 0
