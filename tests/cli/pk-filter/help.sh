# SPDX-License-Identifier: BSD-2-Clause
# Help fits the columns of a terminal, and has every option; usage errors are
# one line and where to look.
. "$PK_TOP/tests/cli/options.bash"
try()
{
	echo "$ pk-filter $*"
	pk-filter "$@"
	echo "status $?"
}
exec 2>&1
pk-filter --help | awk 'length($0) > 90 { print "too long: " $0 }'
pk-filter --help | tail -n 2
check_options pk-filter
pk-filter --version | grep -qxE 'pk-filter [0-9]+\.[0-9]+[^ ]*' || echo "no version"
try --no-such-option
try --fail-on=everything
try /nonexistent
try -o /nonexistent/file "$PK_TOP/format/vectors/good/like-perf-le.pk"
try </dev/null
printf 'this is no recording' | try
pk-filter "$PK_TOP/format/vectors/good/like-perf-le.pk" >/dev/full
echo "status $?"
