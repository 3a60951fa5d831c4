# SPDX-License-Identifier: BSD-2-Clause
# A sample of 64 KiB has no room for the trailer: what the stack says anyway is shortened, or else the
# sample goes.
. "$PK_TOP/tests/cli/stream.bash"
large()
{ # SAMPLE_TYPE FIELDS
	header
	echo "HEADER_ATTR attr_type=1 sample_period=1000 sample_type=($1) id=1"
	echo "SAMPLE misc=(user) ip=0x1000 $2"
}
zeros()
{
	head -c "$1" /dev/zero
}
for size in 65520 65512 65504; do
	zeros $((size - 12)) >raw
	zeros $((size - 24)) >stack
	large 'IP CALLCHAIN' "$(for ((i = 0; i < (size - 16) / 8; i++)); do echo "  ips[$i]=0x101010101010101"; done)" |
		assemble >chain.pk
	large 'IP RAW' raw=@raw | assemble >raw.pk
	large 'IP STACK_USER' user_stack=@stack | assemble >dump.pk
	for f in chain raw dump; do
		echo "== $f $((size + 8))"
		{ pk-symbolize -q --kallsyms=/dev/null $f.pk >out.pk; } 2>&1
		echo "status $?"
		pk-script --dump out.pk | grep -E ' SAMPLE |nr=|raw=|stack_size|dyn_size|  stack=' | cut -c1-60 | grep -v 'ips\['
		pk-fold -q --weight=samples out.pk | tail -c 30
	done
done
