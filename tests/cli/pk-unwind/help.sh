# SPDX-License-Identifier: BSD-2-Clause
# Help fits the columns of a terminal; usage errors are one line and where to look.
try()
{
	echo "$ pk-unwind $*"
	pk-unwind "$@"
	echo "status $?"
}
exec 2>&1
pk-unwind --help | awk 'length($0) > 90 { print "too long: " $0 }'
pk-unwind --help | tail -n 2
pk-unwind --version | grep -qxE 'pk-unwind [0-9]+\.[0-9]+[^ ]*' || echo "no version"
try --no-such-option
try --symfs
try --fail-on=everything
try /nonexistent
try -o /nonexistent/file "$PK_TOP/format/vectors/good/like-perf-le.pk"
try </dev/null
printf 'this is no recording' | try
pk-unwind -q "$PK_TOP/format/vectors/good/like-perf-le.pk" >/dev/full
echo "status $?"
