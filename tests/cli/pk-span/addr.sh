# SPDX-License-Identifier: BSD-2-Clause
# --addr: a field of spans becomes the address of data, whose symbol other programs know. The preset locks uses it.
. "$PK_TOP/tests/cli/pk-span/switches.bash"
cat >kallsyms <<'END'
ffffffff81000000 T _text
ffffffff81000100 T lock_slowpath
ffffffff81900000 T _etext
ffffffff82a0a040 D css_set_lock
ffffffff82a0b0c0 D tasklist_lock
ffffffff82a0b100 d later
END
{
	header
	perl "$PK_TOP/tests/cli/pk-span/presets.pl" formats <<'END'
event lock:contention_begin void * lock_addr, unsigned int flags
event lock:contention_end void * lock_addr, int ret
record MMAP misc=(kernel) pid=-1 tid=0 addr=0xffffffff81000000 len=0x2000000 pgoff=0xffffffff81000000 filename="[kernel.kallsyms]_text"
100 5 0 contention_begin 0xffffffff82a0b0c0 2
110 5 0 contention_end 0xffffffff82a0b0c0 0
200 6 1 contention_begin 0xffffffff82a0b0c4 4
230 6 1 contention_end 0xffffffff82a0b0c4 0
300 6 1 contention_begin 0xffffffff82a0a040 1
301 6 1 contention_end 0xffffffff82a0a040 0
400 5 1 contention_begin 0xffff888100001000 2
405 5 1 contention_end 0xffff888100001000 0
END
	finish
} | assemble >locks.pk
pk-span -q locks locks.pk >spans.pk
echo "== names of locks"
pk-report -q --view locks-addr --kallsyms=kallsyms --csv spans.pk
echo "== the field of each sample, and through another pk-span"
addresses()
{
	pk-script -q --json "$1" | sed -nE 's/.*"event":"(pk:\w+)".*"addr":"?([^",]*).*/\1 \2/p'
}
addresses spans.pk
pk-span -q --name again --start contention_begin --end contention_end --key tid spans.pk >again.pk
addresses again.pk | cmp - <(addresses spans.pk) || echo "different"
echo "== a text, and no field"
for field in trace.comm nothing flags; do
	pk-span -q --start contention_begin --end contention_end --key tid --carry flags --addr "$field" locks.pk >out.pk
	echo "status $?"
	pk-report -q --by addr --show samples --csv out.pk
done
