# SPDX-License-Identifier: BSD-2-Clause
# -h is --help in all programs; options of perf that a program lacks or spells otherwise are explained.
exec 2>&1
programs=(pk-annotate pk-archive pk-export pk-filter pk-fold pk-inject pk-merge-callchains pk-record pk-report pk-script
	pk-stat pk-symbolize pk-top pk-unwind)
for program in "${programs[@]}"; do
	"$program" -h >short || echo "$program -h: status $?"
	"$program" --help | cmp - short
	grep -q -e '-h, --help' short || echo "$program --help: no -h"
done

try()
{
	echo "$ $*"
	"$@" </dev/null
	echo "status $?"
}
try pk-record -S true
try pk-record -f true
try pk-record -gf true
try pk-record -l true
try pk-record --switch-output=10s true
try pk-record --no-aio true
try pk-record --aio=2 true
try pk-stat -g true
try pk-stat -T true
try pk-stat --topdown true
try pk-script -D
try pk-script -i perf.data
try pk-script --input=perf.data
try pk-script -f
try pk-script -c cat
try pk-script -g python
try pk-script -l
try pk-script -s script.py
try pk-script --time 1,2
try pk-fold -g graph
try pk-fold -s comm
try pk-fold -k vmlinux
try pk-fold --no-children
for option in -U --hide-unresolved --ignore-callees=main --inline --group-sort-idx=1 --raw-trace --percentage=absolute; do
	try pk-report $option
done
try pk-annotate -l
try pk-annotate --symbol main
try pk-annotate -f
try pk-filter -c cat
try pk-filter -i perf.data
try pk-inject -b
try pk-inject -j
try pk-symbolize -k vmlinux
try pk-symbolize -i perf.data
try pk-unwind -i perf.data
try pk-merge-callchains -f
try pk-archive --unpack
# What perf does not know either, and what stands behind the end of options
try pk-script -Z
try pk-script --nonsense=1
try pk-script -- -D
try pk-script missing -D
# Options whose value is missing, or must not be there
try pk-fold --by
try pk-record -F
try pk-fold --reverse=1
