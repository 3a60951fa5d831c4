# SPDX-License-Identifier: BSD-2-Clause
# Wrong usage: one line, and where to look. Nothing on stdout.
try()
{
	echo "$ pk-record $*" >&2
	pk-record "$@"
	echo "status $?" >&2
}
try --no-such-option true
try -Z true
try --all-cpus=2 true
try -F
try -F 0 true
try -F fast true
try -c 1x true
try -F 99 -c 1 true
try -e ./x.c/map:event=y/ true
try -a -p 1
try -p 1 -t 1
try -p ''
try -p 1,x
try -t 0x10
try -C 0-x
try -m 0 true
try -m 2G true
try --for soon true
try --for 0 true
try --call-graph magic true
try -g dwarf true
try -F 99 -ag lbr true
try --call-graph dwarf,70000 true
try --max-stack 0 true
try -k sundial true
try -e '' true
try -e no-such-event true
try -e cpu-clock, true
try -e cpu-clock:x true
try -e cycles:pppp true
try -e L1-dcache true
try -e L1-dcache-load-misses-often true
try -e rabcdefg true
try -e a/../b:c true
