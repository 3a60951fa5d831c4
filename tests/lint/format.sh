# SPDX-License-Identifier: BSD-2-Clause
# clang-format has nothing to change.
. "$PK_TOP/tests/lint/files.bash"
files '*.[ch]' | xargs -r clang-format --dry-run -Werror 2>&1 | grep 'error:' | cut -c1-150 |
	head -n 40 | grep . && complain "run clang-format -i on these"
finish
