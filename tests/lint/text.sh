# SPDX-License-Identifier: BSD-2-Clause
# Every source names its licence; nothing speaks of anything but the project.
. "$PK_TOP/tests/lint/files.bash"

while read -r f; do
	complain "$f: no SPDX-License-Identifier: BSD-2-Clause in the first three lines"
done < <(files '*.[ch]' '*.sh' '*.bash' '*.py' '*.pl' '*.awk' '*.[1-8]' '*.mk' Makefile .ci/run bench/run |
	xargs -d '\n' awk 'function complain() { if (name != "" && !found) print name }
		FNR == 1 { complain(); name = FILENAME; found = 0 }
		FNR <= 3 && /SPDX-License-Identifier: BSD-2-Clause/ { found = 1 }
		END { complain() }')

words='[/]work/|[/]tmp/pk[^-]|\<issue #?[0-9]|\<session [0-9]|\<[a]gents?\>|\<[L]LMs?\>|deb\.[d]ebian\.org'
words=$words'|[p]ypi\.org|[r]egistry\.npm|[c]rates\.io|proxy\.[g]olang'
while read -r line; do
	complain "$line"
done < <(files '*' | xargs -r -d '\n' grep -nIiE -e "$words" | cut -c1-160)
finish
