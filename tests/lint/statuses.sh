# SPDX-License-Identifier: BSD-2-Clause
# A function with an effect that can fail returns an enum pk_status, and no caller uses it as a bool: PK_OK is 0, so `if (!f())`
# compiles and means the opposite. Libraries do not exit.
. "$PK_TOP/tests/lint/files.bash"
command -v perl >/dev/null || {
	echo "no perl" >&2
	exit 77
}
found=$(files 'lib/*.[ch]' 'libpkstream/*.[ch]' 'pk/*.[ch]' 'pk-*.[ch]' 'python/*.[ch]' 'fuzz/*.[ch]' 'tests/*.[ch]' 'examples/*.[ch]' |
	xargs perl tests/lint/statuses.pl)
[ -z "$found" ] || complain "$found"
finish
