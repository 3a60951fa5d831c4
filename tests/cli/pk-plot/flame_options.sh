# SPDX-License-Identifier: BSD-2-Clause
# Options of flamegraph.pl for folded text: --flamechart, --reverse, --nameattr, --cp; and options that folded text cannot have.
exec 2>&1
boxes()
{
	echo "$ pk-plot flame $*"
	pk-plot flame "$@" >picture.svg
	echo "status $?"
	sed -n '/^<g transform/p; /<title>.*<rect/p' picture.svg
}
printf 'a;b 5\na 3\na;c 2\na;b 4\nx 1\nx 2\n' >order.folded
boxes --flamechart --width=1020 order.folded
boxes --flamechart --reverse --icicle --width=1020 order.folded
boxes --reverse --width=1020 order.folded
boxes --min-width=20% --width=1020 order.folded
printf 'b\ttitle=my <b>\thref=https://example.org/?a=1&b\tonclick=alert(1)\nc\thref=javascript:alert(1)\tclass=x "y\nzzz\tid=3\n\nx\n' >attributes
boxes --nameattr=attributes --width=1020 order.folded
xmllint --noout picture.svg
boxes --nameattr=/nonexistent order.folded
printf 'c->rgb(1,2,3)\na->b->rgb(4,5,6)\nx->red\n' >palette.map
boxes --cp --width=1020 order.folded
cat palette.map
printf 'a->b 1\n' | boxes --cp=palette.map --width=1020
echo "$ --cp twice: the same colors, whatever the palette is"
pk-plot flame --cp=two.map order.folded >first.svg
pk-plot flame --cp=two.map --colors=blue order.folded | cmp first.svg && echo "same"
for option in --where=pid==1 --by=pid --weight=samples --event=x --modules --symfs=/ --max-depth=3; do
	boxes $option order.folded
done
boxes --flamechart "$PK_TOP/demo/demo.pk" | sed "s|$PK_TOP/||"
# The base of a difference can be text.
pk-plot flame -q --diff=order.folded --by=comm "$PK_TOP/demo/demo.pk" >picture.svg
echo "status $?"
