# SPDX-License-Identifier: BSD-2-Clause
# Within a folder, no file needs itself through others: if a.c uses a symbol of b.c, neither b.c nor any file that b.c
# uses uses a symbol of a.c. Symbols are those of the objects of the build.
. "$PK_TOP/tests/lint/files.bash"

objects=()
while read -r f; do
	object=$PK_BUILD/${f%.c}.o
	if [ -e "$object" ]; then
		objects+=("${f%.c}.o")
	elif [[ $f != python/* ]]; then # built only where Python has its headers
		complain "$f: has no object in the build: run make"
	fi
done < <(files 'lib/*.c' 'libpkstream/*.c' 'pk/*.c' 'pk-*.c' 'python/src/*.c')

cd "$PK_BUILD" || exit 1
circles=$(nm -A -P -g "${objects[@]}" 2>/dev/null | awk '
function folder(object) { sub("/[^/]*$", "", object); return object }
{ sub(":$", "", $1) }
$3 == "U" { uses[$1, $2]; next }
{ home[folder($1), $2] = $1 }
END {
	for (use in uses) {
		split(use, part, SUBSEP)
		to = home[folder(part[1]), part[2]]
		if (to == "" || to == part[1])
			continue
		needs[part[1], to] = needs[part[1], to] " " part[2]
		count[part[1]] += !((part[1], to) in edge)
		if (!((part[1], to) in edge))
			next_of[part[1], count[part[1]]] = to
		edge[part[1], to]
		file[part[1]]
		file[to]
	}
	for (from in file)
		reach(from, from)
	for (from in file)
		for (to in file)
			if (from < to && (from, to) in reaches && (to, from) in reaches)
				if (!(to in least) || from < least[to])
					least[to] = from
	for (pair in edge) {
		split(pair, part, SUBSEP)
		from = part[1]
		to = part[2]
		if ((to, from) in reaches)
			print (from in least ? least[from] : from) "\t" from " uses" needs[from, to] " of " to
	}
}
function reach(from, at,  i) {
	for (i = 1; i <= count[at]; i++)
		if (!((from, next_of[at, i]) in reaches)) {
			reaches[from, next_of[at, i]]
			reach(from, next_of[at, i])
		}
}' | sort)
[ -z "$circles" ] || while IFS=$'\t' read -r circle line; do
	[ "$circle" = "${last-}" ] || complain "${circle%/*}: files that need each other:"
	last=$circle
	echo "    ${line//.o/.c}"
done <<<"$circles"
finish
