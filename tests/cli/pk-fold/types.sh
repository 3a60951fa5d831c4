# SPDX-License-Identifier: BSD-2-Clause
# Types of data by the code and the debugging information of the recorded programs; offsets in symbols, which need no files.
. "$PK_TOP/tests/cli/pk-annotate/list.bash"

fold()
{
	echo "$ pk-fold $*"
	pk-fold "$@" 2>&1
	echo "status $?"
}

some_heat | assemble | pk-symbolize -q --symfs=root >heat.pk
fold --by symoff heat.pk
fold --by symoff,comm --max-depth=0 --symfs=nowhere heat.pk
fold --symfs=root --by type,symoff heat.pk
fold --symfs=root --by typeoff,typecln --max-depth=0 heat.pk
fold --symfs=root --by type --weight=samples --max-depth=0 heat.pk heat.pk
# pk-fold looks up the functions, or from a pipe only the places.
some_heat | assemble >raw.pk
fold --symfs=root --by type,symoff raw.pk
# shellcheck disable=SC2002 # a pipe on purpose
cat raw.pk | fold --symfs=root --by type,symoff
# No file of that name.
fold --symfs=nowhere --by type --max-depth=0 heat.pk
# The other places of the field.
fold --symfs=root --weight=typecln --max-depth=0 heat.pk
echo '$ pk-filter'
pk-filter -q --symfs=root --where 'type ~ "struct *"' heat.pk | fold --by typeoff --symfs=root --max-depth=0 -
pk-filter -q --symfs=root --split-by type -o 'out-%v.pk' heat.pk 2>&1
for file in out-*; do
	echo "$file"
	pk-fold --max-depth=0 "$file"
done
echo '$ pk-script'
pk-script --symfs=root -F ip,type,typecln heat.pk | sort | uniq -c
pk-script --symfs=root --json -F type,typeoff,typecln raw.pk | grep -o '"type":"struct.*' | sort | uniq -c
