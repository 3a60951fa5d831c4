# SPDX-License-Identifier: BSD-2-Clause
# What heatmap and histogram say of themselves, and of wrong options.
exec 2>&1
try()
{
	echo "$ $*"
	"$@" </dev/null
	echo "status $?"
}
try pk-plot heatmap --help
try pk-plot histogram --help
for kind in heatmap histogram; do
	try pk-plot $kind --scale=log3
	try pk-plot $kind --step=0
	try pk-plot $kind --step=x
	try pk-plot $kind --min=1x
	try pk-plot $kind --max=
	try pk-plot $kind --by=comm,,pid
	try pk-plot $kind --by=
	try pk-plot $kind --groups=0
	try pk-plot $kind --height=1
	try pk-plot $kind --field=
	try pk-plot $kind --where='pid =='
	try pk-plot $kind /nonexistent >/dev/null
done
try pk-plot heatmap --quantiles=50,101
try pk-plot heatmap --quantiles=1,2,3,4,5,6,7,8,9
try pk-plot heatmap --quantiles=nan
try pk-plot heatmap --quantiles=
try pk-plot heatmap --subsecond --utilization
try pk-plot heatmap --utilization --max=4
try pk-plot histogram --quantiles=50
