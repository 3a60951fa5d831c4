# SPDX-License-Identifier: BSD-2-Clause
# Help fits the columns of a terminal; usage errors are one line and where to look.
try()
{
	echo "$ pk-fold $*"
	pk-fold "$@"
	echo "status $?"
}
exec 2>&1
pk-fold --help | awk 'length($0) > 90 { print "too long: " $0 }'
pk-fold --help | tail -n 2
pk-fold --version | grep -qxE 'pk-fold [0-9]+\.[0-9]+[^ ]*' || echo "no version"
try --no-such-option
try -Z
try --weight
try --weight=pounds
try --event
try --fail-on=everything
try --fail-on=lost=x
try -o
try /nonexistent
try -o /nonexistent/file "$PK_TOP/format/vectors/good/like-perf-le.pk"
try </dev/null
printf 'this is no recording' | try
printf 'PERF' | try
cat "$PK_TOP/format/vectors/good/like-perf-le.pk" | try --weight=samples -- - -
pk-fold --help >/dev/full
echo "status $?"
