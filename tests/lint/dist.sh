# SPDX-License-Identifier: BSD-2-Clause
# make dist writes the same bytes in another folder, at another time, with another umask; the tarball has all files of the commit.
git -C "$PK_TOP" rev-parse -q --verify HEAD >/dev/null 2>&1 || {
	echo "no git repository" >&2
	exit 77
}
set -eu
# dist FOLDER UMASK: the tarball of the folder's commit
dist()
{
	(
		umask "$2"
		cd "$1"
		env -u MAKEFLAGS "${MAKE:-make}" -s B=out SAN= dist 2>/dev/null
		ls "$PWD"/out/pk-*.tar.gz
	)
}
git clone -q "$PK_TOP" one
git clone -q one two
find two -name .git -prune -o -type f -exec touch -d '2001-01-01' {} +
first=$(dist one 022)
second=$(dist two 077)
cmp "$first" "$second"
tar -tzf "$first" | sed 's|^[^/]*/||' | grep -v '/$' | grep . | sort >packed
git -C "$PK_TOP" ls-tree -r --name-only HEAD | sort | diff - packed
[ "$(tar -tzf "$first" | cut -d / -f 1 | sort -u)" = "$(basename "$first" .tar.gz)" ]
# What the packages install is what make install does.
tar -xzf "$first"
cd pk-*/
for f in bin bash-completion fish man1 pk zsh; do
	grep -q "/$f$" debian/pk.install || { echo "debian/pk.install lacks $f" && exit 1; }
done
version=$(sed -n 's/^VERSION *= *//p' Makefile)
[ "$(sed -n '1s/.*(\(.*\)).*/\1/p' debian/changelog)" = "$version" ] ||
	{ echo 'debian/changelog has another version than the Makefile' && exit 1; }
[ "$(sed -n 's/^Version: *//p' rpm/pk.spec)" = "$version" ] ||
	{ echo 'rpm/pk.spec has another version than the Makefile' && exit 1; }
