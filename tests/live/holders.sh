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

# own NAME COLUMN: the time that the function of the program has measured: 2 is held, 3 is waited.
own()
{
	awk -v name="$1" -v column="$2" '$1 == name { print $column }' said
}

# blamed HOLDER WAITER LOCK: the waiter's waits for this lock, as it measures them, are the holder's. Nobody else takes the lock.
# The waiter measures more, where it loses its CPU after the system call. A holder that has waited itself counts from its wakeup on.
blamed()
{
	local waited found
	waited=$(own "$2" 3)
	found=$(weight "data_symbol=$3;(.*;)?$1(;.*)?")
	[ $((found * 2 + 50000000)) -ge "$waited" ] && [ $((found * 10 - 100000000)) -le $((waited * 11)) ] ||
		fail "$1: $2 has waited for $3 for $waited ns, of which $found are the holder's: $(cat said; cut -c1-300 folded)"
}

record named.pk -e futex
pk-span -q futex --pass named.pk | pk-span -q holders --pass >held.pk 2>err || fail "futex: $(cat err)"
check held.pk
pk-fold -q --event pk:holder --by data_symbol held.pk >folded || fail 'pk:holder: cannot be folded'
blamed slow_holder quick_holder 'big_lock\+0x0'
blamed quick_holder slow_holder 'big_lock\+0x0'
blamed table_writer table_reader 'table_lock\+0x[0-9a-f]*'
blamed table_reader table_writer 'table_lock\+0x[0-9a-f]*'
all=$(weight 'data_symbol=queue_filled.*')
found=$(weight 'data_symbol=queue_filled.*;producer;.*')
[ "$all" -gt 0 ] && [ "$found" = "$all" ] || fail "queue_filled: only $found of $all ns are the producer's: $(cut -c1-300 folded)"
pk-report -q --view locks --csv held.pk >table 2>err || fail "the view locks: $(cat err)"
for row in 'pk:futex,,big_lock\+0x0,' 'pk:futex,,table_lock\+' 'pk:futex,,queue_filled\+'; do
	grep -qE "$row" table || fail "no row $row: $(cat table)"
done

may_define_probes || skip 'probes cannot be defined here'
record named.pk -e mutex
pk-span -q mutex --pass named.pk | pk-span -q holders >held.pk 2>err || fail "mutex: $(cat err)"
check held.pk
pk-fold -q --event pk:held --by data_symbol held.pk >folded || fail 'pk:held: cannot be folded'
for name in slow_holder quick_holder table_writer table_reader; do
	held=$(own $name 2)
	case $name in
	table_*) lock='table_lock\+0x0' ;;
	*) lock='big_lock\+0x0' ;;
	esac
	found=$(weight "data_symbol=$lock;(.*;)?$name(;.*)?")
	[ "$found" -ge "$held" ] && [ $((found * 9)) -le $((held * 10)) ] ||
		fail "$name: holds its lock for $found ns, not $held"
done
