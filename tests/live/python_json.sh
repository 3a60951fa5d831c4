# SPDX-License-Identifier: BSD-2-Clause
# long
# The values that the Python package reads are those of pk-script --json: recordings of three machines, both
# byte orders, tracepoints, symbolized streams, spans.
# shellcheck source-path=SCRIPTDIR
. "$PK_TOP/tests/live/python.bash"
set -u -o pipefail
status=0

same()
{
	pk-script --symfs /nonexistent --kallsyms /nonexistent --no-inline --json "$1" >json 2>script.err
	python "$PK_TOP/tests/live/python_json.py" "$1" json >result 2>&1 || {
		cat result
		status=1
	}
	read -r count _ <result
	[[ $count =~ ^[0-9]+$ && $count -ge ${2:-1000} ]] || {
		echo "$1: $(<result), which is less than ${2:-1000}"
		status=1
	}
}

for f in "$PK_TOP"/tests/data/*.zst; do
	same "$f"
done
# The smallest of these has 36 records.
for f in "$PK_TOP"/tests/data/unwind/*.zst; do
	same "$f" 300
done
pk-span --name=writes --start=sys_enter_write --end=sys_enter_write --key tid "$PK_TOP/tests/data/arm64.pk.zst" >spans 2>/dev/null
same spans

# The golden streams have the rare cases. Python does not look up symbols, not even those in the stream.
pairs=() i=0
for f in "$PK_TOP"/format/vectors/good/*.pk; do
	case $f in */pk-offsite-* | */pk-interpreted-*) continue ;; esac
	i=$((i + 1))
	pk-script --symfs /nonexistent --kallsyms /nonexistent --no-inline --json "$f" >"$i.json" 2>script.err
	pairs+=("$f" "$i.json")
done
python "$PK_TOP/tests/live/python_json.py" "${pairs[@]}" >result 2>&1 || {
	tail -n 3 result
	status=1
}
count=$(awk '{ n += $1 } END { print n + 0 }' result)
[ "$count" -gt 5000 ] || {
	echo "$count values equal in golden streams"
	status=1
}
exit $status
