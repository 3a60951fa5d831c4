# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Sourced by the tests of the Python package. `python ARGUMENT...` runs the interpreter with the built
# package. Skips the test if the extension was not built.
if [ ! -e "$PK_BUILD/python/pkstream/_pkstream.abi3.so" ]; then
	echo "the extension of Python is not built: python3 lacks its headers of C (python3-dev)" >&2
	exit 77
fi
export PYTHONPATH=$PK_BUILD/python:$PK_TOP/tests/live PYTHONDONTWRITEBYTECODE=1

# The sanitizer must be in the process before the interpreter allocates memory; the interpreter does not
# free all memory at its end.
preload=
case $PK_SAN in
*address*)
	preload="$(${CC:-cc} -print-file-name=libasan.so) $(${CC:-cc} -print-file-name=libubsan.so)"
	export ASAN_OPTIONS=detect_leaks=0
	;;
esac

python()
{
	LD_PRELOAD=$preload python3 "$@"
}
