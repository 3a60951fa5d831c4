# SPDX-License-Identifier: BSD-2-Clause
# Help fits the columns of a terminal; usage errors are one line and where to look.
try()
{
	echo "$ pk-archive $*"
	pk-archive "$@"
	echo "status $?"
}
exec 2>&1
pk-archive --help | awk 'length($0) > 90 { print "too long: " $0 }'
pk-archive --help | tail -n 2
pk-archive --version | grep -qxE 'pk-archive [0-9]+\.[0-9]+[^ ]*' || echo "no version"
try --no-such-option
try --symfs
try /nonexistent | tr -d '\0'
try -o /nonexistent/file "$PK_TOP/format/vectors/good/like-perf-le.pk" | tail -n 2
pk-archive -q "$PK_TOP/format/vectors/good/like-perf-le.pk" >/dev/full
echo "status $?"
