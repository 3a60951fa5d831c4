# SPDX-License-Identifier: BSD-2-Clause
# On a terminal there are colours, a pager and lines of its width.
. "$PK_TOP/tests/cli/pk-report/symbolized.bash"
"$PK_BUILD/tests/live/on_terminal" true || exit
symbolized | assemble >all.pk

# on [VARIABLE=VALUE...] -- [OPTION...]: on a terminal. NO_COLOR, PAGER and PK_PAGER are not set.
on()
{
	local variables=()
	while [ "$1" != -- ]; do
		variables+=("$1")
		shift
	done
	shift
	echo "$ ${variables[*]} pk-report $*"
	env -u NO_COLOR -u PAGER -u PK_PAGER -u COLUMNS -u LESS "${variables[@]}" "$PK_BUILD/tests/live/on_terminal" \
		"$PK_BIN/pk-report" "$@" | cat -v
	echo "status ${PIPESTATUS[0]}"
}
table=(-q --no-children -e cpu-clock all.pk)

on PK_PAGER=cat -- "${table[@]}"
on PAGER= NO_COLOR=1 -- "${table[@]}"
on PAGER= NO_COLOR=1 -- --color=always -q --by comm -g caller,0 -e cpu-clock all.pk
on PAGER= COLUMNS=24 -- --color=never "${table[@]}"
on PAGER= COLUMNS=24 -- --color=never --width=0 "${table[@]}"
on PK_PAGER='sed "s/^/> /"' PAGER=false -- "${table[@]}"
on PAGER='sed "s/^/> /"' -- --color=never "${table[@]}" /nonexistent
on PAGER='sed "s/^/> /"' -- --no-pager "${table[@]}"
# Warnings are shown in it, too; the header comes first.
on PAGER='sed "s/^/> /"' -- --color=never --header-only all.pk | sed 's/\(captured on\).*/\1/'
symbolized | sed 's/ CALLCHAIN)/)/; s/ nr=1 ips\[0\]=0x1000//' | assemble >no.pk
on PAGER='sed "s/^/> /"' -- --color=never -q -g graph --by comm -e cpu-clock no.pk
# The user leaves it.
on PAGER='head -n 1' -- "${table[@]}"
{
	header
	event 1 7
	for ((i = 0; i < 20000; i++)); do sample 7 $i 0x1000; done
} | assemble >long.pk
on PAGER='head -n 2' -- --color=never -q --by pid --show samples --order pid:asc long.pk
on PAGER=true -- -q --by pid --show samples long.pk
on PAGER=/nonexistent/pager -- -q --by pid --show samples all.pk
# The default.
mkdir bin
cat >bin/less <<-'END'
	#!/bin/sh
	echo "less $*"
	exec /bin/cat
END
chmod +x bin/less
on "PATH=$PWD/bin" -- --color=never "${table[@]}" | sed "s|$PWD|...|"
on PATH=/nonexistent -- --color=never "${table[@]}"
# No terminal, no pager.
PAGER='sed "s/^/> /"' pk-report "${table[@]}"
on PAGER='sed "s/^/> /"' -- -o out "${table[@]}"
cat -v out
