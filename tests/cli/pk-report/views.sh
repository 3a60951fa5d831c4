# SPDX-License-Identifier: BSD-2-Clause
# --view: options of the views of the programs and of the user, quotes, malformed files.
. "$PK_TOP/tests/cli/pk-report/symbolized.bash"
symbolized | assemble >all.pk
export XDG_CONFIG_HOME=$PWD/config
mkdir -p config/pk
views()
{
	printf "$@" >config/pk/views
}
view()
{
	echo "== $*"
	pk-report -q "$@" all.pk 2>&1
	echo "status $?"
}
echo "== the programs' own"
pk-report --view list | awk '/^[a-z]/ { print $1 }' | tr '\n' ' '
echo
for name in $(pk-report --view list | awk '/^[a-z]/ { print $1 }'); do
	pk-report --view "$name" --where 'period >= 0' all.pk >out 2>&1 || head -n 1 out
done | sort | uniq -c
views '%s\n' '# own views' '' 'pk-report cpus: --by cpu --show samples,share # by CPU' \
	'pk-fold cpus: --by comm' \
	'  pk-report	top:   --by comm   # in place of top' \
	"pk-report where: --where 'comm ~ \"p*\" && pid != 7' --by \"co\"'mm',cpu:log2 --order=samples# no comment" \
	'pk-report both: --view cpus --by comm,cpu' \
	'pk-report again: --view again' \
	'pk-report nothing:' \
	'pk-report quoted: --order "a \"b\" \\ c" # a # b'
view --view cpus
view --view=cpus --by comm --show samples
view --by comm --view cpus
view --view top --no-children
view --view both
view --view nothing --show samples --by event
view --view again 2>&1 | head -n 3
view --view quoted
view --view where
view --view wher
mkdir home && cp -r config home/.config
XDG_CONFIG_HOME='' HOME=$PWD/home pk-report -q --view cpus --limit 1 all.pk
echo '== list'
pk-report --view list | sed -n '/^cpus/,$p'
echo '== malformed'
for line in 'pk-report' 'pk-report cpus --by cpu' 'pk-report a b: --by cpu' ': --by cpu' 'pk-report : --by cpu' 'pk-report a/b: --by cpu' \
	"pk-report a: --by 'cpu" 'pk-report a: --by "cpu\\"' 'pk-report a: --by \033[31m' 'pk-fold b: "'; do
	views "# first\n$line\npk-report ok: --by cpu\n"
	pk-report --view ok all.pk 2>&1 | head -n 1 | sed "s|$PWD|.|"
done
head -c 1048576 /dev/zero | tr '\0' '#' >config/pk/views
pk-report --view top all.pk 2>&1 | sed "s|$PWD|.|"
rm config/pk/views
mkdir config/pk/views
pk-report --view top all.pk 2>&1 | sed "s|$PWD|.|"
rmdir config/pk/views
printf 'pk-report last: --by cpu' >config/pk/views
view --view last --show samples
