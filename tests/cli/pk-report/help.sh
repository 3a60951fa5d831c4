# SPDX-License-Identifier: BSD-2-Clause
# Help fits the columns of a terminal; usage errors are one line and where to look.
. "$PK_TOP/tests/cli/pk-report/symbolized.bash"
symbolized | assemble >all.pk
pk-report --help | awk 'length($0) > 90 { print "too long: " $0 }'
pk-report --help | tail -n 2
try --by=
try --by=comm,,pid
try --by=time:never
try --by=comm:log2x
try --by=perod all.pk
try --by=function all.pk
try -s trace all.pk
try -F overhead,op all.pk
try --show=
try --show=what
try --show='sum(period'
try --show='sum()'
try --show='p101(period)'
try --show='sum(perod)' all.pk
try --order=what all.pk
try --limit=0
try --percent-limit=101
try --weight=perod all.pk
try --show=latency all.pk
try --show=sum all.pk
try -t ''
try -g graph
try -D
