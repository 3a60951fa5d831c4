# SPDX-License-Identifier: BSD-2-Clause
# pk-span holders: who holds the locks of programs, and for how long.
. "$PK_TOP/tests/live/fold.bash"

may_record_all || skip "not allowed to record everything: $(head -n 1 all.err)"
[ -d /sys/kernel/tracing/events/syscalls/sys_enter_futex ] || skip 'the kernel has no tracepoints of futex()'
lockers=$PK_BUILD/tests/live/lockers

# record FILE OPTION...: records the program completely, with its own times in the file said.
record()
{
	local file=$1 try
	shift
	for try in 1 2 3 4; do
		pk-record -d -m 4M --call-graph auto "$@" -o raw.pk -- "$lockers" >said 2>rec.err || fail "$*: $(cat rec.err)"
		grep -q ' lost' rec.err || break
	done
	[ "$try" != 4 ] || skip "samples are lost: $(tail -n 1 rec.err)"
	pk-unwind -q raw.pk | pk-symbolize -q >"$file"
}

# most EVENT LOCK FUNCTION: most of the time of this lock is in the function.
most()
{
	local all found
	pk-fold -q --event "$1" --by data_symbol held.pk >folded || fail "$1: cannot be folded"
	all=$(weight "data_symbol=$2;.*")
	found=$(weight "data_symbol=$2;(.*;)?$3(;.*)?")
	[ "$all" -gt 0 ] && [ $((found * 100)) -ge $((all * 70)) ] ||
		fail "$1: $2: only $found of $all ns are in $3: $(cut -c1-300 folded)"
}

record named.pk -e futex
pk-span -q futex --pass named.pk | pk-span -q holders --pass >held.pk 2>err || fail "futex: $(cat err)"
check held.pk
most pk:holder 'big_lock\+0x0' slow_holder
most pk:holder 'table_lock\+0x[0-9a-f]*' table_writer
most pk:holder 'queue_filled\+0x[0-9a-f]*' producer
pk-report -q --view locks --csv held.pk >table 2>err || fail "the view locks: $(cat err)"
for row in 'pk:futex,,big_lock\+0x0,' 'pk:futex,,table_lock\+' 'pk:futex,,queue_filled\+'; do
	grep -qE "$row" table || fail "no row $row: $(cat table)"
done

may_define_probes || skip 'probes cannot be defined here'
record named.pk -e mutex
pk-span -q mutex --pass named.pk | pk-span -q holders >held.pk 2>err || fail "mutex: $(cat err)"
check held.pk
most pk:held 'big_lock\+0x0' slow_holder
most pk:held 'table_lock\+0x0' table_writer
for name in slow_holder quick_holder table_writer table_reader; do
	pk-fold -q --event pk:held held.pk >folded
	own=$(awk -v name=$name '$1 == name { print $2 }' said)
	found=$(weight "(.*;)?$name(;.*)?")
	[ "$found" -ge "$own" ] && [ $((found * 9)) -le $((own * 10)) ] ||
		fail "$name: holds its lock for $found ns, not $own"
done
