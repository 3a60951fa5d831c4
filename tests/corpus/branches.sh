# SPDX-License-Identifier: BSD-2-Clause
# The branch stacks of recordings of other people, as perf script prints them: byte by byte with perf 7.2. perf 6.1 does not
# print the type and the speculation of branches. Names and code are looked up nowhere. PK_PERF is the perf.
. "$PK_TOP/tests/corpus/corpus.bash"
perf=${PK_PERF:-perf}
version=$("$perf" --version 2>/dev/null) || {
	echo "no perf" >&2
	exit 77
}
case $version in
*' 6.'* | *' 5.'*) old=1 ;;
*) old=0 ;;
esac

# plain: without blanks at ends of lines, and without what old versions do not print
plain()
{
	if [ $old = 1 ]; then
		sed -E 's|/[A-Z_]*/[-A-Z_]*( \|$)|/\1|g; s/ +/ /g; s/ $//'
	else
		sed 's/ *$//'
	fi
}

compared=0
for file in "$PK_CORPUS"/others/quipper-perf.data.{branch-4.14,branch_stack_spec,callgraph_and_branch-3.8} "$PK_CORPUS"/lbr/*.data; do
	for field in brstack brstacksym brstackinsn; do
		# LBR call stacks have no code between their entries, and perf prints no line for them.
		[[ $file$field != */lbr/*insn ]] || continue
		"$perf" script -i "$file" --symfs /nonexistent -F comm,tid,time,$field 2>perf.err | plain >expected
		pk-script -q --no-inline --symfs /nonexistent --kallsyms /dev/null -F comm,tid,time,$field "$file" 2>err |
			plain >folded
		[ -s expected ] || complain "$file: nothing is expected: $(cat perf.err)"
		cmp -s expected folded || complain "$file, $field: $(diff expected folded | head -n 4 | cut -c1-300)"
		compared=$((compared + 1))
	done
done
[ $compared = 11 ] || complain "$compared comparisons"
exit $status
