# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Sourced after stream.bash by tests of formats: small streams with stacks of functions.

strings=0
# string TEXT: the next one
string()
{
	local bytes
	bytes=$(printf '%b' "$1" | wc -c)
	strings=$((strings + 1))
	echo "STRING id=$strings length=$bytes text=\"$1\""
}

# Two events; inlined functions, lines, a kernel, a library, code without an object, and hostile names.
#   stack 3: main:10 -> helper:20   stack 4: inlined:30, in helper:20   stack 6: main -> <unresolved in the library>
#   stack 7: main:10 -> <kernel>    stack 8: main:10 -> main:10 (recursive)   stack 10: <hostile>
small()
{
	header
	event 0 7
	event 1 8
	name 7 cycles
	name 8 cpu-clock
	local stacks=1 # samples have them after them
	session "$stacks"
	string prog               # 1
	string main               # 2
	string helper             # 3
	string inlined            # 4
	string /src/a.c           # 5
	string '/src/\x22b\\.h'     # 6
	string /bin/prog          # 7
	string /lib/libx.so.1     # 8
	string '[kernel.kallsyms]' # 9
	string sys_read           # 10
	string 'evil\x1b[31m\xff;(na me)' # 11
	echo "DSO id=1 path=7 kind=1 build_id_size=20 build_id=1111111111111111222222222222222233333333"
	echo "DSO id=2 path=8 kind=1"
	echo "DSO id=3 path=9 kind=2"
	echo "FRAME id=1 function=1 flags=0x100"
	echo "FRAME id=2 dso=1 function=2 file=5 line=10 flags=2 address=0x1010 symbol_start=0x1000"
	echo "FRAME id=3 dso=1 function=3 file=5 line=20 flags=2 address=0x2020 symbol_start=0x2000"
	echo "FRAME id=4 dso=1 function=4 file=6 line=30 column=3 flags=0x12 address=0x2020 symbol_start=0x2000"
	echo "FRAME id=5 dso=2 flags=0x42 address=0x5000"
	echo "FRAME id=6 dso=3 function=10 flags=1 address=0xffffffff81000123 symbol_start=0xffffffff81000100"
	echo "FRAME id=7 function=11 flags=2 address=0x7000"
	echo "STACK id=1 frame=1"
	echo "STACK id=2 parent=1 frame=2"
	echo "STACK id=3 parent=2 frame=3"
	echo "STACK id=4 parent=3 frame=4"
	echo "STACK id=5 parent=2 frame=4" # inlined into main, at another address
	echo "STACK id=6 parent=2 frame=5"
	echo "STACK id=7 parent=2 frame=6"
	echo "STACK id=8 parent=2 frame=2"
	echo "STACK id=9 frame=1"
	echo "STACK id=10 parent=9 frame=7"
	local event=7
	stacked 3 100 1000
	stacked 3 100 1100
	stacked 4 50 1200
	stacked 6 7 1300
	stacked 7 11 1400
	stacked 8 13 1500
	stacked 10 17 1600
	event=8
	stacked 3 1000000 1001
	stacked 4 1000000 1201
	local thread=6
	stacked 4 1000000 2201
	finish
}

# stacked STACK PERIOD TIME: a sample of $event in $thread
stacked()
{
	echo "SAMPLE misc=(user) id=$event ip=0x1000 pid=5 tid=${thread:-5} time=$3 period=$2 stack=$1"
}
