# SPDX-License-Identifier: BSD-2-Clause
# Functions with another name in the base, but with the same callers and callees, are one row.
. "$PK_TOP/tests/cli/pk-report/compare.bash"

# calls NAME OTHER: the function NAME calls read, and is called by main and by parse; OTHER calls something else
calls()
{
	for i in $(seq 100); do
		printf '%s\n' "main;$1;read 40" "main;parse;$1 10" "main;parse;read 20" "main;$2 3$((i % 3))"
	done | pk fleet stream
}
calls old_name gone >base.pk
calls new_name write >new.pk
try -q --match-renamed --by symbol --show baseline,share,change,mark --csv --diff base.pk -- new.pk
try --match-renamed --by symbol --show baseline,share --diff base.pk -- new.pk
try -q --by symbol --show baseline,share --csv --diff base.pk -- new.pk
# A function with other callees, and functions that exist on both sides, are not renamed.
for i in $(seq 100); do printf '%s\n' 'main;parse;read 60' 'main;new_name;write 40' 'main;gone 31'; done | pk fleet stream >new.pk
try --match-renamed --by symbol --show baseline,share --csv --diff base.pk -- new.pk
try --match-renamed base.pk
