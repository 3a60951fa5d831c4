# SPDX-License-Identifier: BSD-2-Clause
# A sample of 64 KiB has no room for the trailer: what the stack says anyway is shortened, or else the
# sample goes.
. "$PK_TOP/tests/cli/stream.bash"
large()
{
	header
	{
		nums 44888888 1 64 0 1000 "$1" 0 0 0
		num 8 0
		num 8 1
	} | record 64 0
	record 9 2
}
for size in 65520 65512 65504; do
	# IP and a callchain
	large $((0x21)) < <(
		nums 88 0x1000 $(((size - 16) / 8))
		head -c $((size - 16)) /dev/zero | tr '\0' '\1'
	) >chain.pk
	# IP and RAW
	large $((0x401)) < <(
		nums 84 0x1000 $((size - 12))
		head -c $((size - 12)) /dev/zero
	) >raw.pk
	# IP and a dump of the stack
	large $((0x2001)) < <(
		nums 88 0x1000 $((size - 24))
		head -c $((size - 24)) /dev/zero
		num 8 $((size - 24))
	) >dump.pk
	for f in chain raw dump; do
		echo "== $f $((size + 8))"
		{ pk-symbolize -q --kallsyms=/dev/null $f.pk >out.pk; } 2>&1
		echo "status $?"
		pk-script --dump out.pk | grep -E ' SAMPLE |nr=|raw=|stack_size|dyn_size|  stack=' | cut -c1-60 | grep -v 'ips\['
		pk-fold -q --weight=samples out.pk | tail -c 30
	done
done
