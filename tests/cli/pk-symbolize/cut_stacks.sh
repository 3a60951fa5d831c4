# SPDX-License-Identifier: BSD-2-Clause
# Stacks that end in code without frame pointers: they are counted and the object is named, in place of their addresses that are
# none. fix/syscalls-nofp does not keep frame pointers, opt/calls-riscv64 stands for a file of which nothing is known.
. "$PK_TOP/tests/cli/stream.bash"
start=0x501199 leaf=0x5012d8 inner=0x501339 garbage=0x77
begin()
{
	header
	event_of 7 "${1-CALLCHAIN}" "${@:2}"
	comm 5 5 prog
	maps_as 5 5 0x501000 0x1000 /fix/syscalls-nofp 0x1000
	maps_as 5 5 0x700000 0x1000 /no/libc.so.6
	maps_as 5 5 0x800000 0x1000 /no/unknown
}
# user ADDRESS...: a sample in user space
user()
{
	local i=1 ips='ips[0]=(user)' ip
	for ip; do
		ips+=" ips[$i]=$ip"
		i=$((i + 1))
	done
	sample_of user 7 5 $1 "$ips"
}
say()
{
	echo "== $1"
	assemble >cut.pk
	pk-symbolize --symfs "$PK_TOP/tests/data/unwind" --kallsyms=/dev/null -o symbolized.pk cut.pk 2>&1
	pk-report -q --csv symbolized.pk >/dev/null
	pk-fold symbolized.pk
	pk-fold --fail-on truncated=10 symbolized.pk >/dev/null 2>&1 || echo 'truncated'
}
{ begin; user $leaf; user $leaf $inner; } | say 'the leaf is the last frame, or its caller'
{ begin; user $leaf $garbage; user $leaf $garbage $garbage 0x700010; } | say 'numbers that are no addresses'
{ begin; user $leaf $inner $start; user $leaf $start $garbage; } | say "the program starts there"
{ begin; user $leaf 0x700010; user $leaf 0x700010 $garbage; user $leaf 0x700010 0x700020; } | say 'the C library has called'
{ begin; user 0x800010; user 0x800010 $garbage; } | say 'nothing is known of the object'
{ begin; sample_of user 7 5 $leaf; sample_of kernel 7 5 0xffffffff81001000 'ips[0]=(kernel) ips[1]=0xffffffff81001000'; } | say 'no user address'
{ begin PERIOD; sample_of user 7 5 $leaf; } | say 'no callchains'
{ begin CALLCHAIN attr_size=112 sample_max_stack=2; user $leaf $inner; } | say 'the limit of the recording'
{ begin; for i in {1..200}; do user $leaf $start; done; user $leaf; } | say 'too few to say so'
