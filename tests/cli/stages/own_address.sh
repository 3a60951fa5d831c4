# SPDX-License-Identifier: BSD-2-Clause
# The stack of a sample starts with its own address: if the callchain starts elsewhere, and if it has only markers.
. "$PK_TOP/tests/cli/stream.bash"
printf '%s\n' 'ffffffff81000000 T entry' 'ffffffff81001000 T middle' 'ffffffff81002000 T leaf' 'ffffffff81003000 T end' >names
K=0xffffffff8100
# of IP ADDRESS...: a sample in the kernel
of()
{
	local at=$1 i=1
	shift
	printf 'SAMPLE misc=(kernel) id=7 ip=%s pid=5 tid=5 time=1 period=100 nr=%s ips[0]=0xffffffffffffff80' "$at" $(($# + 1))
	for a; do
		printf ' ips[%s]=%s' $((i++)) "$a"
	done
	echo
}
{
	header
	event_of 7 'PERIOD CALLCHAIN'
	name 7 cycles
	comm 5 5 prog
	of ${K}2010 ${K}2020 ${K}1008 ${K}0008 # in the same function
	of ${K}1003 ${K}2000 ${K}1008 ${K}0008 # before the call
	of ${K}2030 ${K}1009 ${K}0008          # before the return
	of ${K}2010                            # only a marker
} | assemble >own.pk
tails()
{
	pk-report -q --kallsyms names -g none --no-children -s sym "$1"
	pk-symbolize -q --kallsyms names "$1" | pk-fold -q
	pk-script -q --kallsyms names -F ip,sym "$1"
}
tails own.pk
pk-symbolize -q --kallsyms names own.pk >named.pk
pk-report -q -g none --no-children -s sym named.pk | cmp - <(pk-report -q --kallsyms names -g none --no-children -s sym own.pk)
pk-script -q --kallsyms names -F ip,sym named.pk | cmp - <(pk-script -q --kallsyms names -F ip,sym own.pk)
