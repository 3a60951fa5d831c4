# SPDX-License-Identifier: BSD-2-Clause
# What stands in front of frames, where stacks begin and end, how they are named and in which order they come.
. "$PK_TOP/tests/cli/stream.bash"
try()
{
	echo "$ pk-fold $*"
	pk-fold "$@" 2>&1
	echo "status $?"
}
frame()
{ # ID FUNCTION FLAGS [DSO FILE LINE]
	echo "FRAME id=$1 dso=${4-0} function=$2 file=${5-0} line=${6-0} flags=$3"
}
stack()
{
	echo "STACK id=$1 parent=$2 frame=$3"
}
deep()
{ # ID PID STACK: a symbolized sample
	echo "SAMPLE misc=(user) id=$1 ip=0x1000 pid=$2 tid=$((10 * $2)) period=100 stack=$3"
}
{
	header
	event 1 7
	event 0 8
	name 7 cpu-clock
	name 8 cycles
	session "1"
	number=0
	for text in prog main f g inlined vector_add /lib/libm.so.6 src/a.c; do
		echo "STRING id=$((++number)) length=${#text} text=\"$text\""
	done
	echo 'DSO id=1 kind=1 path=7'
	frame 1 1 256
	frame 2 2 2 1 8 10
	frame 3 3 2 1 8 20
	frame 4 4 2 1
	frame 5 5 18 1 8 21
	frame 6 6 1
	stack 1 0 1
	stack 2 1 2 # prog;main
	stack 3 2 3 # prog;main;f
	stack 4 3 3 # prog;main;f;f
	stack 5 4 5 # prog;main;f;f;inlined
	stack 6 3 4 # prog;main;f;g
	stack 7 6 6 # prog;main;f;g;vector_add
	stack 8 7 3 # prog;main;f;g;vector_add;f
	for at in 1 2 3 4 5 6 7 8; do
		deep 7 $((at % 2 + 1)) $at
	done
	deep 8 1 2
	finish
} | assemble >shapes.pk
try -q shapes.pk
try -q --by=none shapes.pk
try -q --by=pid,comm shapes.pk
try -q --by=tid,cpu,cgroup,host shapes.pk
try -q --by=event,comm --event='c*' shapes.pk
try -q --by=event shapes.pk
try --event=c* -q shapes.pk
try --event=cycles --event=nothing shapes.pk
try --root=f shapes.pk
try --leaf=f shapes.pk
try --root='[fg]' --leaf=g --by=none shapes.pk
try -q --reverse shapes.pk
try -q --reverse --leaf=f --root=f --by=none shapes.pk
try -q --max-depth=2 shapes.pk
try -q --reverse --max-depth=1 --by=none shapes.pk
try -q --collapse-recursion shapes.pk
try -q --lines --modules --suffixes shapes.pk
try -q --suffixes=i shapes.pk
try -q --inlines=no shapes.pk
try -q --sort=weight shapes.pk
try --by=comm,what shapes.pk
try --suffixes=x shapes.pk
try --inlines=maybe shapes.pk
try -q --max-depth=0 shapes.pk
try -q --max-depth=0 --by=event,pid --reverse shapes.pk
try --max-depth=0 --by=none shapes.pk
try --max-depth=x shapes.pk
try --sort=size shapes.pk
try --live=never shapes.pk
try --live=1 --diff=shapes.pk shapes.pk
