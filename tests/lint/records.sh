# SPDX-License-Identifier: BSD-2-Clause
# Only libpkstream knows where the fields of records are: all others use the types of perf_abi.h and
# pk_abi.h. What lib/dwarf, lib/code, lib/trace and lib/symbol read is no record.
. "$PK_TOP/tests/lint/files.bash"

offset='(record->|record\.)data(\)|) \+ [0-9]'
access='pk_(load|store)_u(16|32|64)\([^;]*\b(data|record|body|entry|attr)\b[^;]*\+ [0-9]'
size='\brecord(->|\.)size [<>=!]=? [0-9]|\bsizeof\(struct perf_header\) \+ [0-9]+[;,)]'
while read -r f; do
	while read -r line; do
		complain "$f:$line: a number for the place or the size of a record's fields;" \
			"use a type of perf_abi.h or pk_abi.h"
	done < <(grep -nE "$offset|$access|$size" "$f")
done < <(files 'lib/session/*.[ch]' 'lib/cli/*.[ch]' 'lib/event/*.[ch]' 'lib/profile/*.[ch]' 'lib/field/*.[ch]' 'lib/names/*.[ch]' 'pk/*.[ch]' 'pk-*.[ch]')
finish
