# SPDX-License-Identifier: BSD-2-Clause
# Every file that the documentation names exists: paths in backquotes, from the root, and links. Words in capitals
# (NAME, TOOL) are placeholders; * and ? are globs.
. "$PK_TOP/tests/lint/files.bash"
folders='(\.ci|bench|completions|debian|demo|docs|examples|format|fuzz|lib|libpkstream|pk-[a-z-]+|python|share|tests)'

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

# steps_without_file PAGE: complaints about the steps of a sample's way that name no file, or one that does not exist.
steps_without_file()
{
	local step text path paths=0
	while IFS=$'\t' read -r step text; do
		paths=$(grep -oE '`[^` ]+`' <<<"$text" | tr -d '`' | grep -E "^$folders/")
		[ -n "$paths" ] || echo "step $step names no file"
		for path in $paths; do
			[ -f "$path" ] || echo "step $step: no file $path"
		done
	done < <(awk '/^## / { on = /^## The way of one sample/ } !on { next }
		match($0, /^[0-9]+\. /) { printf "%s%d\t", n++ ? "\n" : "", $1 }
		/^([0-9]+\.|   ) / && n { printf "%s ", $0 } END { print "" }' "$1")
}

page=docs/architecture.md
steps=$(grep -cE '^[0-9]+\. ' $page)
((steps >= 10 && steps <= 15)) || complain "$page: $steps steps"
while read -r line; do
	complain "$page: $line"
done < <(steps_without_file $page)
# The check finds a file that is missing, and a step without any.
found=$(steps_without_file <(sed -E '/^3\. /s/output\.c/gone.c/; /^15\. /s/`pk-fold[^`]*`/The program/' $page))
[ "$found" = $'step 3: no file pk-record/gone.c\nstep 15 names no file' ] || complain "docs.sh: finds '$found'"

# rows_without_test PAGE: the rows of tables whose last column is "test" that name none
rows_without_test()
{
	awk '/\| test \|$/ { on = 1; next } !/^\|/ { on = 0 } on && !/^\|-/ && !/`(tests|fuzz)\/[^`]*` \|$/' "$1"
}
page=SECURITY.md
[ "$(grep -c '`tests/.*` |$' $page)" -ge 25 ] || complain "$page: few rows with tests"
while read -r line; do
	complain "$page: no test: $line"
done < <(rows_without_test $page)
found=$(rows_without_test <(sed '/overwrites/s/`tests.*` |$/|/' $page) | grep -c overwrites)
[ "$found" = 1 ] || complain "docs.sh: a row without test is not found"

# docs/README.md has each document.
for page in docs/*.md; do
	grep -qF "(${page#docs/})" docs/README.md || [ "$page" = docs/README.md ] || complain "docs/README.md lacks $page"
done

# SECURITY.md has each fuzz target.
found=$(sed -n '/^| input | target |/,/^$/s/^| [^|]* | \(.*\) |$/\1/p' SECURITY.md | grep -oE '`[a-z_]+`' | tr -d '`' | sort)
expected=$(for f in fuzz/fuzz_*.c; do basename "$f" .c | sed 's/^fuzz_//'; done | sort)
[ "$found" = "$expected" ] || complain "SECURITY.md: fuzz targets: $(diff <(echo "$expected") <(echo "$found") | tr '\n' ' ')"

# The page of the layers has each of them, in their order.
expected=$(sed -n 's/^LAYERS = //p' Makefile | sed 's/stream/stream base/')
found=$(sed -n -E 's/^    (lib\/|libpk)([a-z]+) .*/\2/p' docs/architecture.md | tr '\n' ' ')
[ "$expected " = "$found" ] || complain "docs/architecture.md: layers are $found, in the Makefile $expected"
finish
