# SPDX-License-Identifier: BSD-2-Clause
# long
# Every option of each program is in its --help and in its manual page, and a misspelling of it is answered by it: nothing is
# printed. completions.sh looks for them in the completions. (tests/lint/man.sh asks the other way round: nothing is
# documented that is not there.)
. "$PK_TOP/tests/cli/options.bash"
for main in "$PK_TOP"/pk{,-*}/main.c; do
	main=${main%/main.c}
	check_options "${main##*/}"
done
