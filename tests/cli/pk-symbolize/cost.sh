# SPDX-License-Identifier: BSD-2-Clause
# Objects whose names are much work or much memory: limits, and what was cut is reported.
. "$PK_TOP/tests/cli/cost.bash"
symbolize()
{
	bounded "$1" "$2" pk-symbolize --no-cache --kallsyms=/dev/null "${@:3}" >out.pk
	pk-fold -q --weight=samples out.pk | cut -c1-60
}
exec 2>&1
unpack rust-one.pk rust-alias.pk one-sample.pk dwarf.pk
echo "== a name that demangles to nothing, with much work, for each of its samples"
program rust-one one
symbolize 3 200 --symfs=one rust-one.pk
echo "== 200 such names for one address"
program rust-alias alias
symbolize 3 200 --symfs=alias rust-alias.pk
echo "== many symbols in a section with a long name"
program section-name section
symbolize 3 200 --symfs=section one-sample.pk
echo "== many files, functions with one long name"
program dwarf-files files
bounded 5 300 pk-symbolize --no-cache --kallsyms=/dev/null --lines --symfs=files dwarf.pk >out.pk
[ "$(wc -c <out.pk)" -lt 10000000 ] || echo "$(wc -c <out.pk) bytes"
program dwarf-names names
bounded 5 300 pk-symbolize --no-cache --kallsyms=/dev/null --lines --symfs=names dwarf.pk >out.pk
[ "$(wc -c <out.pk)" -lt 10000000 ] || echo "$(wc -c <out.pk) bytes"
