# SPDX-License-Identifier: BSD-2-Clause
# Ctrl-C on a terminal while the report reads a pipe: the pager, whose process waits for its text, shows the report.
. "$PK_TOP/tests/cli/interrupted.bash"
on_terminal=$PK_BUILD/tests/live/on_terminal
"$on_terminal" true || exit
pk-filter -q "$PK_TOP/tests/data/x86_64.pk.zst" >stream.pk
export PK_PAGER='sed "s/^/pager: /"'
declare -fx interrupted
for signals in 0 1; do
	# shellcheck disable=SC2016 # of the other shell
	"$on_terminal" bash -c 'interrupted "$@"' bash $signals stream.pk pk-report >out.$signals
	echo "status $?"
done
cmp out.0 out.1
grep -c '^pager: .*%' out.1
