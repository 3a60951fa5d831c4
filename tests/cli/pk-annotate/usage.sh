# SPDX-License-Identifier: BSD-2-Clause
# Options: what is wrong with them is said; --help fits a screen.
try()
{
	echo "$ pk-annotate $*"
	pk-annotate "$@" 2>&1 </dev/null
	echo "status $?"
}
try --hottest=0
try --min-percent=101
try --min-percent=x
try --context=-1
try --syntax=nasm
try --weight=latency
try --percent-of=none
try --arrows=maybe
try --group=some
try --source-prefix=/src
try --cache-line=0
try --by-line --type-profile
try --types --by-line
try --unheard
try --debuginfod=soon
try
pk-annotate --version | grep -qx 'pk-annotate [0-9][0-9.]*[a-z-]*' || echo "--version"
try -o /nonexistent/file
