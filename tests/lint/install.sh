# SPDX-License-Identifier: BSD-2-Clause
# What `make install` leaves is enough to build a program against libpkstream, and `make uninstall`
# takes all of it away.
set -eu
dest=$PWD/dest failed=0
complain()
{
	echo "$*"
	failed=1
}

house()
{
	${MAKE:-make} -C "$PK_TOP" --no-print-directory B="$PK_BUILD" SAN="$PK_SAN" "DESTDIR=$dest" \
		PREFIX=/opt/pk "$@" >make.log 2>&1 || {
		cat make.log
		exit 1
	}
}
house install
cat >program.c <<'END'
#include <pkstream.h>
#include <stdio.h>
int main(void)
{
	return puts(pk_version()) < 0;
}
END
export PKG_CONFIG_PATH=$dest/opt/pk/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$dest
flags=$(pkg-config --cflags --libs pkstream)
# shellcheck disable=SC2086 # words on purpose
cc -Wall -Wextra -Werror ${PK_SAN:+-fsanitize=$PK_SAN} -o program program.c $flags
LD_LIBRARY_PATH=$dest/opt/pk/lib ./program
cp program.c program.cc
# shellcheck disable=SC2086
g++ -std=c++11 -Wall -Wextra -Werror ${PK_SAN:+-fsanitize=$PK_SAN} -o program++ program.cc $flags

# Each header includes what it needs.
for h in "$dest"/opt/pk/include/*.h; do
	# shellcheck disable=SC2086
	cc -Wall -Wextra -Werror $flags -fsyntax-only -x c "$h" || complain "${h##*/} needs another header in C"
	# shellcheck disable=SC2086
	g++ -std=c++11 -Wall -Wextra -Werror $flags -fsyntax-only -x c++ "$h" || complain "${h##*/} needs another header in C++"
done

# The example of the manual page.
sed -n '/^\.Bd -literal/,/^\.Ed/p' "$dest/opt/pk/share/man/man3/pkstream.3" | sed '1d;$d;s/\\e/\\/g' >count.c
# shellcheck disable=SC2086
cc -Wall -Wextra -Werror ${PK_SAN:+-fsanitize=$PK_SAN} -o count count.c $flags
LD_LIBRARY_PATH=$dest/opt/pk/lib ./count <"$PK_TOP/format/vectors/good/sample-stacks-le.pk" >counted
grep -q '^[1-9][0-9]* [a-z]' counted || {
	echo "the example of pkstream.3 printed:"
	cat counted
	exit 1
}
for f in "$dest"/opt/pk/bin/*; do
	"$f" --help >/dev/null
	[ -e "$dest/opt/pk/share/man/man1/${f##*/}.1" ] || complain "${f##*/}: no manual page installed"
done
"$dest/opt/pk/bin/pk-report" --view list | grep -q '^mem ' || complain "pk-report: its views are not installed"
share=$dest/opt/pk/share
for f in bash-completion/completions/pk-record zsh/site-functions/_pk fish/vendor_completions.d/pk-record.fish; do
	grep -q switch-events "$share/$f" || complain "$f: no completions installed"
done
"$dest/opt/pk/bin/pk" -n flame -- ./app | grep -q '^pk-record .*pk-plot flame' || complain "pk: its commands are not installed"
if grep -rl /usr/local "$share"; then complain "installed files name /usr/local"; fi

# The package of Python, where its headers are.
if [ -e "$PK_BUILD/python/pkstream/_pkstream.abi3.so" ] && [ -z "$PK_SAN" ]; then
	house install-python pythondir=/opt/pk/python
	PYTHONPATH=$dest/opt/pk/python python3 -c 'import sys, pkstream; sys.exit("/dest/" not in pkstream.__file__)' ||
		complain "python3 does not import the installed package"
	[ -e "$dest/opt/pk/python/pkstream/py.typed" ] || complain "the package of Python is installed without py.typed"
fi
house uninstall-python pythondir=/opt/pk/python
house uninstall
left=$(find "$dest" ! -type d)
[ -z "$left" ] || {
	echo "left behind: $left"
	exit 1
}
exit $failed
