# SPDX-License-Identifier: BSD-2-Clause
# One name, one thing: the guard of a header is its file's name, a type that a header defines has its tag alone, and
# names that many files give to static functions have an object.
. "$PK_TOP/tests/lint/files.bash"

# ---- Guards ----

declare -A guarded
while read -r f; do
	guard=$(sed -n '/^#ifndef/{s/^#ifndef \([A-Z0-9_]*\)$/\1/p;q}' "$f")
	name=${f##*/}
	name=${name%.h}_H
	case $guard in
	"${name^^}" | *"_${name^^}") ;;
	*) complain "$f: its guard is '$guard', not the name of the file, ${name^^}" ;;
	esac
	[ -z "${guarded[$guard]-}" ] || complain "$f: its guard is also that of ${guarded[$guard]}"
	guarded[$guard]=$f
done < <(files 'lib/*.h' 'libpkstream/*.h' 'pk/*.h' 'pk-*.h' 'python/src/*.h')

# A header of the system that is called so would be hidden from those who compile with -I for pkstream.h.
while read -r f; do
	[ ! -e "/usr/include/${f##*/}" ] || complain "$f: the system has a header with this name"
done < <(files 'libpkstream/*.h')

# ---- Tags of types ----

# Prints "TAG FILE" for each type that the files on stdin define at their top level.
tags()
{
	xargs -r grep -oE '^(struct|enum|union) [A-Za-z0-9_ ]*\{' |
		sed -E 's/^([^:]*):(struct|enum|union) ([A-Z_]+ )?([a-z0-9_]+) \{/\4 \1/'
}

# A header of lib/ is seen by all; that of a program by the files in its folder.
while read -r tag f others; do
	complain "$f: another type is also called '$tag', in$others"
done < <(files 'lib/*.[ch]' 'libpkstream/*.[ch]' 'pk/*.[ch]' 'pk-*.[ch]' | tags | sort | awk '
function folder(file) { sub("/[^/]*$", "", file); return file }
function is_lib(file) { return file ~ "^lib" }
{ tag[NR] = $1; file[NR] = $2; of[$1] = of[$1] " " NR }
END {
	for (i = 1; i <= NR; i++) {
		if (file[i] !~ "\\.h$")
			continue
		others = ""
		n = split(of[tag[i]], list, " ")
		for (k = 1; k <= n; k++) {
			j = list[k]
			if (j != i && (is_lib(file[i]) && is_lib(file[j]) || folder(file[i]) == folder(file[j])))
				others = others " " file[j]
		}
		if (others != "")
			print tag[i], file[i], others
	}
}')

# ---- Static functions ----

# "add" alone says nothing where many files have such a function. Those of main.c have the same roles everywhere,
# as have some of tails ("start", "report").
while read -r count name; do
	complain "$count files have a static function '$name': say what it is about"
done < <(files 'lib/*.c' 'libpkstream/*.c' 'pk/*.c' 'pk-*.c' 'python/src/*.c' | grep -v '/main\.c$' |
	xargs -r grep -oE '^static [^(=;]*[ *]([a-z]+)\(' | sed -E 's/^([^:]*):.*[ *]([a-z]+)\($/\1 \2/' | sort -u |
	awk '{ count[$2]++ } END { for (name in count) if (count[name] > 20) print count[name], name }')

finish
