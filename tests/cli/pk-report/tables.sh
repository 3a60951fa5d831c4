# SPDX-License-Identifier: BSD-2-Clause
# The table of perf report: rows, columns, order, limits.
. "$PK_TOP/tests/cli/pk-report/symbolized.bash"
symbolized | assemble >all.pk
try all.pk
try -q --no-children all.pk
try -q -n --show-total-period --no-children --event=cpu-clock all.pk
try -q --children --show=samples --by=symbol all.pk
try -q -s sym,pid,cpu -e cycles all.pk
try -q -s dso --full-paths -e cpu-clock --no-children all.pk
try -q -F +period,sample -s comm --no-children all.pk
try -q -F symbol,samples,share -e cpu-clock all.pk
try -q -F overhead,sym -s cpu -e cpu-clock all.pk
try -q --by=event,cpu all.pk
try --by=none all.pk
try -q --by=srcline --no-children -e cpu-clock all.pk
try -q --percent-limit=20 -e cpu-clock all.pk
try -q --limit=2 all.pk
try -q --order=symbol:asc --no-children -e cpu-clock all.pk
try -q --order=cpu --by=cpu,symbol --no-children -e cpu-clock all.pk
try -t , --no-children -e cpu-clock all.pk
try -t l -q --no-children -e cpu-clock all.pk
try -q all.pk all.pk --by=comm
