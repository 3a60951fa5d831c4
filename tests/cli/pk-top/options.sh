# SPDX-License-Identifier: BSD-2-Clause
# Options that are wrong, or of perf top.
try_top()
{
	echo "$ pk-top $*"
	setsid pk-top "$@" </dev/null 2>&1
	echo "status $?"
}

pk-top --help | tail -n 2
try_top --delay=0
try_top --delay=never
try_top -g flat
try_top -o out
try_top -z
try_top --stdio
try_top --by=
try_top --by=comm no-such-file
