# SPDX-License-Identifier: BSD-2-Clause
# Flame graphs of recordings: the titles are those of the folded stacks.
exec 2>&1
titles()
{
	echo "$ pk-plot flame $*"
	pk-plot flame "$@" >picture.svg
	echo "status $?"
	grep -o '<title>[^<]*' picture.svg | sed 's/<title>//' | head -n 12
}
demo=$PK_TOP/demo/demo.pk
titles "$demo" | sed "s|$PK_TOP/||"
titles --by none --weight samples --reverse - <"$demo"
cat "$demo" | titles --by none --where 'tid == 0'
cat "$demo" | titles --modules --max-depth 1
# The same picture from the folded text, but for the unit and the marks of kinds.
pk-fold "$demo" | pk-plot flame | grep -c '<rect x='
pk-plot flame "$demo" | grep -c '<rect x='
