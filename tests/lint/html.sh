# SPDX-License-Identifier: BSD-2-Clause
# make html renders all manual pages and documents, and none of their links is dead. It finds links that are.
. "$PK_TOP/tests/lint/files.bash"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
mapfile -t pages < <(files '*.md' '*.[1-8]' | grep -E '^([A-Z]+|(bench|docs|format)/[a-zA-Z-]+)\.md$|^(pk[a-z-]*|libpkstream|format)/[a-z-]+\.[1-8]$')
[ ${#pages[@]} -ge 60 ] || complain "html: ${#pages[@]} pages"
found=$(perl docs/html.pl "$out/site" "${pages[@]}" 2>&1) || complain "$found"
[ -s "$out/site/index.html" ] && [ -s "$out/site/man/pk-fold.1.html" ] || complain "html: pages are missing"
# Each page has the list of all pages, and the search finds the text of all.
for page in "$out"/site/docs/*.html "$out"/site/man/*.html; do
	[ "$(grep -c '^<li><a href="../man/' "$page")" -ge 17 ] && grep -q '<a href="../docs/faq.html"' "$page" || complain "$page: no list of pages"
done
[ "$(grep -c '^	{path: "[a-z/.A-Z0-9-]*", title: "..*", text: "..*"},$' "$out/site/search-index.js")" = ${#pages[@]} ] ||
	complain "html: the search does not have all pages"

printf '# One\n[a](#one) [b](#two) [c](gone.md) [d](%s)\n' http://example.invalid/ >"$out/a.md"
cd "$out" && found=$(perl "$PK_TOP/docs/html.pl" bad a.md) && complain "html: dead links are no error"
[ "$found" = $'a.html: dead link: #two\na.html: dead link: gone.md' ] || complain "html: finds '$found'"
finish
