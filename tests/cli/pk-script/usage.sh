# SPDX-License-Identifier: BSD-2-Clause
try()
{
	pk-script "$@"
	echo "exit $?"
}
try --help
try
try --dump --nonsense
try --dump /nonexistent
try --dump - </dev/null
try --version | grep -c '^pk-script [0-9]'
