# SPDX-License-Identifier: BSD-2-Clause
# A file is one concept, and one of more than 1,000 lines is likely two; functions of up to 80 lines (nine
# in ten under 50), file names once only.
# A function whose declaration follows a line "/* flat switch */" may be longer.
. "$PK_TOP/tests/lint/files.bash"

while read -r lines f; do
	[ "$lines" -le 1000 ] || complain "$f: $lines lines, not 1000"
done < <(files '*.[ch]' | xargs -r wc -l | grep -v ' total$')

while read -r name; do
	complain "$name: more than one file is called so"
done < <(files '*.[ch]' | sed 's|.*/||' | grep -vx 'main\.c' | sort | uniq -d)

# Formatted code opens and closes a function with a brace in the first column.
functions=$(files '*.c' | xargs -r awk '
	/^\/\* flat switch \*\/$/ { flat = 1 }
	/^[A-Za-z_].*\(/ { name = $0 }
	/^\{/ { start = FNR }
	/^\}/ && start { print FNR - start - 1, flat + 0, FILENAME ":" start, name; start = flat = 0 }')
while read -r lines flat where name; do
	[ -n "$lines" ] || continue
	[ "$lines" -le 80 ] || [ "$flat" = 1 ] || complain "$where: $lines lines, not 80: $name"
done <<<"$functions"
shape=$(grep -E '[0-9] (lib|pk)' <<<"$functions" | sort -n | awk '{ n[NR] = $1 }
	END { print n[int((NR + 1) / 2)] + 0, n[int(NR * 0.9)] + 0 }')
[ "${shape#* }" -lt 50 ] || complain "one function in ten has 50 lines or more (median and nine in ten: $shape)"
finish
