# SPDX-License-Identifier: BSD-2-Clause
# The outermost function that matches.
. "$PK_TOP/tests/cli/pk-report/symbolized.bash"
symbolized | assemble >all.pk
try -q --parent=f --no-children -e cpu-clock all.pk
try --parent='[fg]' -s parent,sym --no-children -e cpu-clock all.pk
try -q --parent='[gd]*' --by=parent -e cpu-clock all.pk
try -q --parent=f --by=symbol,parent -e cpu-clock --children all.pk
try --parent=nowhere --by=parent --csv -e cpu-clock all.pk
try -q --parent=prog --by=parent -e cpu-clock all.pk
try -s parent all.pk
try -q --parent=f -H --by=parent,symbol -e cpu-clock all.pk
# All stacks of a new session are looked up again.
symbolized | sed 's/text="f"/text="e"/' | assemble >other.pk
try -q --parent='[ef]' --by=parent -e cpu-clock all.pk other.pk all.pk
