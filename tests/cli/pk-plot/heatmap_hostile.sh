# SPDX-License-Identifier: BSD-2-Clause
# Hostile numbers, times and names: each picture is well-formed, has all samples, and no text of the input is markup.
exec 2>&1
. "$PK_TOP/tests/cli/pk-span/switches.bash"
most=18446744073709551615
# sums OPTION...: the sum of all cells, and what xmllint says.
sums()
{
	echo "$ pk-plot $*"
	pk-plot "$@" >picture.svg
	echo "status $?"
	[ ! -s picture.svg ] || xmllint --noout picture.svg || echo 'not well-formed'
	grep -o ' data-n="[0-9]*"' picture.svg | tr -dc '0-9\n' | awk '{ sum += $1; n++ } END { printf "%d cells, %.0f in all\n", n, sum }'
	sed '/<style>/,/<\/style>/d; /<script>/,/<\/script>/d' picture.svg | grep -c '="[^"]*\<\(nan\|inf\)\>' | grep -v '^0'
}
stream() # lines of samples
{
	{ header; event 1 7; name 7 cycles; cat; } | assemble
}
echo "== the least and the largest"
for period in 0 1 $most 9223372036854775808; do sample 7 1 0x1000 $period 5000; done | stream >extreme.pk
for scale in hdr linear log2 log10; do
	sums heatmap --field period --scale $scale extreme.pk
	sums histogram --field period --scale $scale extreme.pk
done
sums histogram --field period --step $most extreme.pk
sums histogram --field period --weight period extreme.pk
echo "== times"
for time in 5000 $most 0 7000 1; do sample 7 1 0x1000 10 $time; done | stream >times.pk
sums heatmap --field period times.pk
sums heatmap --field period --subsecond times.pk
sums heatmap --subsecond times.pk
# A later session starts again: time goes backwards.
sample 7 1 0x1000 10 1 | stream >early.pk
sums heatmap --field period times.pk early.pk
echo "== one sample, and none"
sample 7 1 0x1000 10 1 | stream >one.pk
sums heatmap --field period one.pk
sums histogram --field period one.pk
pk-plot histogram --field period --text one.pk
: | stream >none.pk
for kind in heatmap 'heatmap --subsecond' 'heatmap --utilization' histogram; do
	# shellcheck disable=SC2086 # words on purpose
	sums $kind none.pk
done
pk-plot -q histogram --text none.pk
pk-plot -q histogram --csv none.pk
echo "== out of range, and in the wrong order"
sums heatmap --field period --min 2 --max 1000 extreme.pk
sums histogram --field period --min 1000 --max 2 --scale linear extreme.pk
sums histogram --field period --max $most --min -1 --scale linear extreme.pk
echo "== other numbers"
sums heatmap --field ip one.pk
sums heatmap one.pk
sums histogram --field comm one.pk
sums heatmap --field nothing one.pk
sums heatmap --field period --weight nothing one.pk
sums heatmap --utilization one.pk
echo "== negative"
{
	header
	both_events
	session
	tracing
	for state in 0 1 -1 -1000 -9223372036854775808 9223372036854775807; do switch 100 0 1 2 $state; done
	finish
} | assemble >negative.pk
for scale in hdr linear log2 log10; do
	sums heatmap --field prev_state --scale $scale negative.pk
	pk-plot histogram --field prev_state --scale $scale --csv negative.pk
done
sums histogram --field prev_state --max -1 negative.pk
echo "== names"
names=('<script>alert(1)</script>' '\"onload=\"alert(1)' "x' onclick='alert(1)" ']]>' '<![CDATA[' '&lt;&#0;' '\x01\x1b[31m'
	'\xff\xfe\xc3' '\xe2\x80\xae\xe2\x81\xa6txt' '\xef\xbf\xbe\xef\xbf\xbf' '--> <b>' '')
for i in "${!names[@]}"; do
	comm $((i + 1)) $((i + 1)) "${names[i]}"
	sample 7 $((i + 1)) 0x1000 10 $((i + 1000))
done | stream >names.pk
for kind in heatmap histogram; do
	sums $kind --field period --by comm --title '<b>"&' --subtitle ']]>' --notes '--><i>' names.pk
	xmllint --xpath 'count(//*[local-name()="script"])' picture.svg
	echo
	xmllint --xpath '//@*[starts-with(name(), "on")]' picture.svg
	grep -c $'\033\|\xff' picture.svg
	sed -n 's/^<text class="heading"[^>]*>//p' picture.svg
	pk-plot $kind --field period --by comm --html names.pk | xmllint --html --noout - 2>&1 | grep -v 'Tag .* invalid' | grep -c error
done
pk-plot histogram --field period --by comm --csv --groups 20 names.pk
