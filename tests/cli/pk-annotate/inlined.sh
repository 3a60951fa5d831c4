# SPDX-License-Identifier: BSD-2-Clause
# A function that has no code of its own, because it is inlined: pk-annotate prints the functions into which it is inlined.
# If the function also has code of its own, only this code is printed.
. "$PK_TOP/tests/cli/pk-annotate/list.bash"
some_heat | assemble | pk-symbolize -q --symfs=root >list.pk
pk-report -q --by symbol list.pk
for name in sum 'list:sum' 'su?' add no_such_function; do
	echo "==== $name"
	pk-annotate --symfs=root "$name" -i list.pk 2>&1 | sed -n '1,2p'
done
