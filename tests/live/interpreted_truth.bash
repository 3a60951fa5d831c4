# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Sourced by the tests that compare stacks of Python with those that the interpreter notes itself.

# The interpreters from 3.9 on that have headers of C, one of each version.
pythons_with_headers()
{
	local name
	for name in /usr/bin/python3 python3 python3.9 python3.10 python3.11 python3.12 python3.13 python3.14 python3.15 /root/.pyenv/versions/*/bin/python3; do
		"$name" -c 'if True:
			import os, sys, sysconfig
			if (3, 9) <= sys.version_info[:2] <= (3, 15) and os.path.exists(sysconfig.get_path("include") + "/Python.h"):
				print(*sys.version_info[:2], os.path.realpath(sys.executable))' 2>/dev/null
	done | sort -u -k 1,2 | cut -d ' ' -f 3
}

# extension PYTHON: builds the extension python_moments into the current folder.
extension()
{
	${CC:-cc} -O2 -shared -fPIC -I"$("$1" -c 'import sysconfig; print(sysconfig.get_path("include"))')" -o python_moments.so \
		"$PK_TOP/tests/live/workload/python_moments.c" 2>compile.err
}

# compare_moments COMMAND...: records the moments of a program, and compares their stacks.
compare_moments()
{
	rm -f moments
	MOMENTS=$PWD/moments PYTHONPATH=$PWD pk-record -q --call-graph unwind -x "$PWD/python_moments.so" --probe 'python_moment n=%di' \
		-o moments.pk -- "$@" 2>err || fail "$*: $(cat err)"
	{ pk-symbolize -q --lines moments.pk | pk-script -q -F event,trace,ip,sym,dso,srcline >script; } 2>>err || fail "$*: $(cat err)"
	perl "$PK_TOP/tests/live/interpreted_truth.pl" --show 2 moments script
}
