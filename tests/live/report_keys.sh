# SPDX-License-Identifier: BSD-2-Clause
# Each key of perf report --sort is one of pk-report --sort, or docs/report.md lists it as missing. PK_PERF is the perf whose keys
# are tried.
. "$PK_TOP/tests/cli/pk-report/memory.bash"
perf=${PK_PERF:-perf}
"$perf" --version >/dev/null 2>&1 || {
	echo "no perf" >&2
	exit 77
}
accesses | assemble >stream.pk
# The list of keys is wrapped into several lines, before the next option.
keys=$("$perf" report -h 2>&1 | awk '/--sort </ { on = 1; next } on && /^ *-/ { exit } on' | sed 's/.*sort by key(s)://' | tr -s ' \t\n' ' ')
missing=$(sed -n '/^These keys are missing/,/^$/d; /^| key | reason |/,/^$/p' "$PK_TOP/docs/report.md" | cut -d'|' -f2 | grep -o '`[a-z0-9_]*`' | tr -d '`')
count=0 bad=0
for key in $keys; do
	count=$((count + 1))
	listed=$(grep -cx "$key" <<<"$missing")
	known=1
	pk-report -q --symfs=/nonexistent -s "$key" stream.pk 2>&1 | grep -qE 'no (field|event|tracepoint)' && known=0
	[ $((listed + known)) -ge 1 ] || {
		echo "$key: neither a key of pk-report nor listed in docs/report.md"
		bad=1
	}
done
[ $count -gt 50 ] || {
	echo "perf lists $count keys only: $keys"
	bad=1
}
for key in $missing; do
	case $key in op | dtlb) continue ;; esac # perf's -F only
	[[ " $keys " == *" $key "* ]] || [ "$("$perf" --version)" \< "perf version 7" ] || {
		echo "$key: docs/report.md lists it as missing, but perf does not have it"
		bad=1
	}
done
exit $bad
