# SPDX-License-Identifier: BSD-2-Clause
# Every option of each program's table is accepted and is in its manual page; those that --help leaves out
# are listed here. (tests/lint/man.sh asks the other way round: nothing is documented that is not there.)
. "$PK_TOP/tests/cli/options.bash"
for main in "$PK_TOP"/pk{,-*}/main.c; do
	main=${main%/main.c}
	check_options "${main##*/}"
done
