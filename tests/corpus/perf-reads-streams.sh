# SPDX-License-Identifier: BSD-2-Clause
# long
# What pk-filter makes of a file: perf prints the same of it as of the file itself, where it can read
# that; and perf report, which is stricter than perf script with features that it does not know, reads it too.
. "$PK_TOP/tests/corpus/corpus.bash"

# alike WHAT: the files expected and folded are, byte by byte.
alike()
{
	cmp -s expected folded && return
	complain "== $1"
	diff expected folded | cut -c1-250 | head -n 20
}
command -v perf >/dev/null || {
	echo "no perf" >&2
	exit 77
}

# What perf itself gets wrong in a stream: pid and tid of a big-endian one change places, and Intel PT
# needs its index.
perf_cannot()
{
	case $1 in
	own/s390x-*-pipe* | */*.intel_pt-*) true ;;
	*) false ;;
	esac
}

same=0
refused=0
for path in "$PK_CORPUS"/own/*/data/*.data "$PK_CORPUS"/own/*/boot2/*.data "$PK_CORPUS"/others/*.data*; do
	file=${path#"$PK_CORPUS"/}
	[ -f "$path" ] && ! perf_cannot "$file" || continue
	pk-filter -q "$path" >stream 2>/dev/null
	perf report -i - --stdio <stream >report 2>err
	grep -q 'wrong feature' err && complain "$file: perf report: $(cat err)"
	# Deferred callchains make perf 6.1 stop, file or not.
	if perf script -i "$path" >expected 2>/dev/null && [ -s expected ]; then
		perf script -i - <stream >folded 2>err || complain "$file: perf script: $(tail -n 1 err)"
		alike "$file"
		same=$((same + 1))
	else
		refused=$((refused + 1))
	fi
done
[ $same -ge 40 ] || complain "only $same recordings; perf refused $refused"
exit $status
