# SPDX-License-Identifier: BSD-2-Clause
# The shell checker has nothing to say about the scripts.
. "$PK_TOP/tests/lint/files.bash"
# SC1090, SC1091, SC2034: what is sourced is checked by itself, and used by others. SC2164: a case that
# cannot cd fails anyway.
files '*.sh' '*.bash' .ci/run bench/run bench/run | xargs -r shellcheck -s bash -S warning -f gcc -e SC1090,SC1091,SC2034,SC2164 ||
	complain "see above"
finish
