# SPDX-License-Identifier: BSD-2-Clause
# Help fits the columns of a terminal; usage errors are one line and where to look.
try()
{
	echo "$ pk-inject $*"
	pk-inject "$@"
	echo "status $?"
}
exec 2>&1
pk-inject --help | awk 'length($0) > 90 { print "too long: " $0 }'
pk-inject --help | tail -n 2
pk-inject --version | grep -qxE 'pk-inject [0-9]+\.[0-9]+[^ ]*' || echo "no version"
try --no-such-option
try --symbols=some
try --symfs
try /nonexistent
try -o /nonexistent/file "$PK_TOP/format/vectors/good/like-perf-le.pk"
try </dev/null
printf 'this is no recording' | try
pk-inject -q "$PK_TOP/format/vectors/good/like-perf-le.pk" >/dev/full
echo "status $?"
