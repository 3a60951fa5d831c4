# SPDX-License-Identifier: BSD-2-Clause
# What pk-export says of itself and of its formats.
exec 2>&1
try()
{
	echo "$ $*"
	"$@"
	echo "status $?"
}
try pk-export --help
try pk-export --list
try pk-export
try pk-export perfdata
try pk-export perf.data --session=0
try pk-export perf.data --session=one
