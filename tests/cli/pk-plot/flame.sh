# SPDX-License-Identifier: BSD-2-Clause
# Flame graphs of folded text: the boxes and their texts, without style and script.
exec 2>&1
picture()
{
	echo "$ pk-plot flame $*"
	pk-plot flame "$@" >picture.svg
	echo "status $?"
	sed '/<style>/,/<\/style>/d; /<script>/,/<\/script>/d' picture.svg
}
cat >small.folded <<'T'
prog;main;work_[i] 60
prog;main;write;vfs_write_[k] 20
prog;main 10
other;Shape::draw 10
T
picture --width=420 small.folded
picture --width=420 --icicle --title='A & B' --subtitle='<sub>' --notes='n>' --countname=ms --nametype='F: ' --bgcolors=blue small.folded
picture --width=220 --min-width=21 --colors=aqua --fontsize=10 --height=20 - <small.folded
picture --width=220 --total=200 --factor=0.5 --html small.folded | grep -v '<g'
printf 'a;b 50 50\na;c 50 150\n' | picture --width=220
printf 'a;b 50 50\na;c 50 150\n' | picture --width=220 --negate | grep -o 'fill="#...".*'
echo 'a;b 50' >base.folded
printf 'a;b 100\na;c 100\n' | picture --width=220 --diff=base.folded
: | picture
printf 'no weight\na 5\n' | picture
# All lines have as many weights as the first one: "b 50" is a name then, or a line is skipped.
printf 'a;b 50\na;b 50 50\n' | picture --width=220 | grep '<title>'
printf 'a;b 50 50\na;c 50\n' | picture --width=220 | grep '<title>\|status\|line'
# A recording without callchains.
picture --symfs=none --kallsyms=/dev/null "$PK_TOP/format/vectors/good/sample-plain-le.pk" | grep 'callchain\|status'
picture --symfs=none --kallsyms=/dev/null "$PK_TOP/format/vectors/good/sample-callchains-le.pk" | grep 'callchain\|status'
