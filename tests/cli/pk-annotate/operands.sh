# SPDX-License-Identifier: BSD-2-Clause
# An operand that is a file is read, as by all programs; a second one names a function, as does --function.
. "$PK_TOP/tests/cli/pk-annotate/list.bash"
some_heat | assemble | pk-symbolize -q --symfs=root >list.pk
annotate()
{
	echo "$ pk-annotate $*"
	pk-annotate --symfs=root -q --context=0 "$@" 2>&1 | grep -vE '^ +[0-9].* : '
	echo "status ${PIPESTATUS[0]}"
}
annotate list.pk </dev/null
annotate list.pk add </dev/null
annotate list.pk add main </dev/null
annotate - add <list.pk
annotate add <list.pk
annotate --function=add --function=main list.pk - <list.pk
annotate --function=add <list.pk
annotate -i list.pk add </dev/null
annotate -i list.pk --function=add - <list.pk
annotate list.pk --function=none </dev/null
# Not what is a folder, but for a recording of perf record --threads; a file has the name of a function.
mkdir add threads
cp list.pk threads/data
annotate add <list.pk
annotate threads _start </dev/null
cp list.pk main
annotate main <list.pk
annotate --function=main <list.pk
annotate list.pk main </dev/null
# Functions can have the name of their program.
cp root/src/list _start
annotate _start <list.pk
: >empty.pk
annotate none empty.pk </dev/null
# What is no recording, or must not be written over
annotate "$PK_TOP/README.md" </dev/null
annotate --function=add missing </dev/null
annotate -o list.pk list.pk
