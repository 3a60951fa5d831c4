# SPDX-License-Identifier: BSD-2-Clause
# libpkstream.so exports what pkstream.h and the headers that it includes declare with PK_API and pkstream.3 describes, and nothing else.
. "$PK_TOP/tests/lint/files.bash"
so=$(ls "$PK_BUILD"/libpkstream.so.* 2>/dev/null) || {
	echo "no shared library in ${PK_BUILD##*/}/: run make" >&2
	exit 77
}
header=$(mktemp) library=$(mktemp) page=$(mktemp)
trap 'rm -f "$header" "$library" "$page"' EXIT
for h in libpkstream/pkstream*.h; do gcc -fpreprocessed -dD -E -P "$h"; done | grep -v '^#' | tr '\n' ' ' | tr ';' '\n' |
	grep -w PK_API | grep -oE '\<pk_[a-z0-9_]+ *\(' | grep -v '(\*' | tr -d ' (' | sort -u >"$header"
nm -D --defined-only "$so" | awk '{ print $3 }' | grep -vE '^(_init|_fini|__asan.*|__odr.*)$' | sort >"$library"
diff --label pkstream*.h --label "${so##*/}" -u "$header" "$library" || complain "they differ"
# Functions that end in _sized have an inline one of the name without it.
{ cat "$header" && sed -n 's/_sized$//p' "$header"; } | sort >"$library"
sed -n 's/^\.Fn \(pk_[a-z0-9_]*\).*/\1/p' libpkstream/pkstream.3 | sort -u >"$page"
# The page may also describe other inline functions.
{ cat "$library" && sed -n 's/^static inline .*[ *]\(pk_[a-z0-9_]*\)(.*/\1/p' libpkstream/pkstream*.h; } | sort -u |
	comm -12 - "$page" | sort -u - "$library" >"$header"
diff --label pkstream*.h --label pkstream.3 -u "$header" "$page" || complain "they differ"
finish
