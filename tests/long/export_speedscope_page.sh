# SPDX-License-Identifier: BSD-2-Clause
# timeout: 300
# speedscope's page (npm's speedscope, at NODE_PATH or npm's global folder) in headless Chromium imports profiles of pk-export speedscope. Its
# left-heavy view has the numbers of pk-report: the own and the total weight of each function.
. "$PK_TOP/tests/live/export.bash"
. "$PK_TOP/tests/live/browser.bash"
package speedscope
export PYTHONPATH=$PK_TOP/tests/live

# Unresolved code of several objects is one row of pk-report.
resolved()
{
	sed '/^[^\t]*\t\(\[.*\]\)\?\t/d' "$1" | LC_ALL=C sort
}

for stream in $(streams | grep -v corpus-14); do
	of_report period $stream >rows
	event=$(head -n 1 rows | cut -f 1)
	pk-export speedscope -q --event "$event" -o out.json $stream || complain "$stream: status $?"
	timeout 60 python3 -B "$PK_TOP/tests/long/export_speedscope_page.py" "$package/dist/release/index.html" out.json >sums 2>err ||
		complain "$stream: $(cat err)"
	awk -F '\t' -v OFS='\t' '{ own[$2] += $3; total[$2] += $4 } END { for (name in total) print "weight", name, own[name], total[name] }' sums >found.all
	grep "^$event"$'\t' rows | sed 's/^[^\t]*/weight/' | resolved - >expected
	resolved found.all >found
	[ ! -s expected ] || same "$stream"
done
[ $compared -ge 3 ] || complain "$compared profiles were compared"
exit $status
