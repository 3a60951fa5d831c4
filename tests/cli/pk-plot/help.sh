# SPDX-License-Identifier: BSD-2-Clause
# What pk-plot says of itself, and of wrong options.
exec 2>&1
try()
{
	echo "$ $*"
	"$@"
	echo "status $?"
}
try pk-plot --help
for kind in flame chart timeline; do
	try pk-plot $kind --help
done
try pk-plot
try pk-plot cake
try pk-plot flame --width=1
try pk-plot flame --width=abc
try pk-plot flame --min-width=-1
try pk-plot flame --fontsize=x
try pk-plot flame --fonttype='a;b'
try pk-plot flame --colors=none
try pk-plot flame --bgcolors='red"'
try pk-plot flame --bgcolors='#12345'
try pk-plot flame --encoding=latin1
try pk-plot flame --factor=0
try pk-plot flame /nonexistent >/dev/null
