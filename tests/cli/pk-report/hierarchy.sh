# SPDX-License-Identifier: BSD-2-Clause
# The fields of --by as levels.
. "$PK_TOP/tests/cli/pk-report/symbolized.bash"
symbolized | assemble >all.pk
try --hierarchy all.pk
try -q -H -n --show-total-period -s dso,sym,cpu -e cpu-clock all.pk
try -q -H --percent-limit=15 -e cpu-clock all.pk
try -q -H --percent-limit=40 --by=cpu,dso,symbol -e cpu-clock all.pk
try -q -H --limit=3 -e cpu-clock all.pk
try -q -H --order=symbol:asc -e cpu-clock all.pk
try -H -t , -n -e cpu-clock all.pk
try -H --group -n all.pk
try -q -H -g caller,0 --by=comm,dso,symbol --limit=5 -e cpu-clock all.pk
try -q -H --by=comm -e cpu-clock all.pk
try -q -H --by=none -e cpu-clock all.pk
try -q -H --by=event,cpu all.pk
# A level's numbers are those of all its samples, not those of the levels below.
try -q -H --csv --show='samples,p50(period),distinct(symbol),max(time)' --by=cpu,symbol all.pk
try -q -H --json --show='samples,distinct(symbol)' --by=srcline,cpu -e cpu-clock all.pk
try -H --children all.pk
