# SPDX-License-Identifier: BSD-2-Clause
# PK_ONLY=PATTERN: only lines that match.
# The lines of docs/probes.md work, and show what they say.
. "$PK_TOP/tests/live/doc_lines.bash"
command -v cc >/dev/null || {
	echo "no cc" >&2
	exit 77
}
mkdir -p tests/live/workload && cp "$PK_TOP/tests/live/workload/known_values.c" tests/live/workload/ || exit 1

while read -r line; do
	[[ $line != *'# untried'* ]] || continue
	try "$line"
	case $line in
	*--list-functions*) grep -q '^twice.*inlined cop' out || complain "$line: $(cat out)" ;;
	*--list-vars*@*) grep -qP '^\tint\t@counter$' out || complain "$line: $(cat out)" ;;
	*--list-vars*) grep -q 'int.sum' out || complain "$line: $(cat out)" ;;
	*'event,trace work.pk'*) [ ! -s work.pk ] || grep -q 'count=3 name="three" third=103' out || complain "$line: $(cat out)" ;;
	*--object*) grep -qE '^ +6 +probe_app:twice' err || grep -qE "$lacking" err || complain "$line: $(cat err)" ;;
	*--carry*) [ ! -s both.pk ] || grep -q 'a=3000000021' out || complain "$line: $(cat out)" ;;
	*--dry-run*) grep -q '^  p:probe_app/work ' out || grep -qE "$lacking" err || complain "$line: $(cat out)" ;;
	esac
done < <(lines_of probes.md)
enough 8
[ $failed = 0 ]
