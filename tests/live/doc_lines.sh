# SPDX-License-Identifier: BSD-2-Clause
# long
# PK_ONLY=PATTERN: only lines that match.
# The lines of docs/tutorial.md and docs/cookbook.md work, and show what they say.
. "$PK_TOP/tests/live/doc_lines.bash"
command -v gcc >/dev/null || {
	echo "no gcc" >&2
	exit 77
}
cp "$PK_TOP/examples/tutorial/words.c" . || exit 1

while read -r line; do
	try "$line"
	case $line in
	*in_it*) awk '{ exit !($1 > 50) }' out || complain "$line: $(cat out)" ;;
	*pk-annotate\ --by-line*) grep -q 'words.c:[0-9]*  .*while (\*a' out || complain "$line: $(cat out)" ;;
	*'*write*'*) grep -q ';save' out || complain "$line: $(cat out)" ;;
	esac
done < <(lines_of tutorial.md)
enough 10
# The program of the cookbook runs for some 0.3 s. sort allocates a buffer of 30 times the size of its file, which --heap samples.
printf '#!/bin/sh\nsort text.txt >sorted\nexec ./words --hash text.txt\n' >app
chmod +x app
while read -r line; do
	try "$line"
done < <(lines_of cookbook.md)
enough 25
[ ! -s before.sym.pk ] || pk-report -q --csv --by symbol -o found before.sym.pk
[ ! -s before.sym.pk ] || grep -q find_word found || complain "no find_word: $(cat found)"
[ $failed = 0 ]
