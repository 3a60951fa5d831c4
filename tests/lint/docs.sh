# SPDX-License-Identifier: BSD-2-Clause
# Every file that the documentation names exists: paths in backquotes, from the root, and links. Words in capitals
# (NAME, TOOL) are placeholders; * and ? are globs.
. "$PK_TOP/tests/lint/files.bash"
folders='(\.ci|bench|demo|docs|format|fuzz|lib|libpkstream|pk-[a-z-]+|tests)'

paths_in()
{
	grep -oE '`[^` ]+`' "$1" | tr -d '`' | grep -E "^$folders/" | grep -vE '(^|[/_])[A-Z]{3,}([./]|$)' |
		sed 's/[,.;:]$//' | sort -u
}

links_in()
{
	grep -oE '\]\([^):#]+(#[^)]*)?\)' "$1" | sed -E 's/^\]\(//; s/(#.*)?\)$//' | sort -u
}

while read -r f; do
	while read -r path; do
		compgen -G "$path" >/dev/null || complain "$f: no file $path"
	done < <(paths_in "$f")
	while read -r path; do
		[ -e "$(dirname "$f")/$path" ] || complain "$f: no file $path, which a link names"
	done < <(links_in "$f")
done < <(files '*.md')

# The page of the layers has each of them, in their order.
expected=$(sed -n 's/^LAYERS = //p' Makefile | sed 's/stream/stream base/')
found=$(sed -n -E 's/^    (lib\/|libpk)([a-z]+) .*/\2/p' docs/architecture.md | tr '\n' ' ')
[ "$expected " = "$found" ] || complain "docs/architecture.md: layers are $found, in the Makefile $expected"
finish
