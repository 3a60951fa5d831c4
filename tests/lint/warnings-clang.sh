# SPDX-License-Identifier: BSD-2-Clause
# clang reads all C files of the product and the fuzz targets without a warning. It generates no code.
. "$PK_TOP/tests/lint/files.bash"
B=build-lint-clang
mkdir -p $B || exit 1
cat >$B/clang-syntax <<'S'
#!/bin/sh
# A compiler that writes empty files.
previous='' output=/dev/null
for word; do
	[ "$previous" != -o ] || output=$word
	previous=$word
done
case " $* " in
*" -c "*) clang "$@" -fsyntax-only && : >"$output" ;;
*" -o "*) : >"$output" ;;
*) exec clang "$@" ;;
esac
S
chmod +x $B/clang-syntax
files 'lib*/*.c' 'pk/*.c' 'pk-*/*.c' 'fuzz/*.c' | grep -vE '^pk-record/(bpf|preload)/' |
	sed "s|^|$B/|; s|c\$|o|" | xargs "${MAKE:-make}" --no-print-directory -j2 CC=$PWD/$B/clang-syntax SAN= WERROR=1 B=$B >/dev/null
