# SPDX-License-Identifier: BSD-2-Clause
# A flame graph of two recordings is grey where the change can be chance.
. "$PK_TOP/tests/cli/pk-report/compare.bash"
recording 1 9000 20 30 0.05 | assemble >old.pk
recording 2 9000 24 30 0.05 | assemble >new.pk
recording 3 9000 20 30 0.05 | assemble >same.pk
recording 1 300 20 30 0.05 | assemble >old_few.pk
recording 2 300 24 30 0.05 | assemble >few.pk
for i in 1 2 3; do
	recording 1$i 3000 20 30 0.05 | assemble >old$i.pk
	recording 2$i 3000 24 30 0.05 | assemble >new$i.pk
done

# titles BASE RECORDING...: the frames with their colours
titles()
{
	echo "$ pk-plot flame --diff $*"
	pk-plot -q flame --diff "$@" | grep -o '<title>[^<]*;[^<]*</title><rect [^>]*\|grey:[^<]*' |
		sed 's/<title>\(.*\)<.title>.* fill="\([^"]*\)".*/\2 \1/'
}
titles old.pk new.pk
titles old.pk same.pk
titles old_few.pk few.pk
titles old.pk new1.pk new2.pk new3.pk
# Folded text has no samples. Nothing is tested.
pk-fold -q old.pk >old.folded
titles old.folded new.pk
