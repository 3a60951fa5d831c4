# SPDX-License-Identifier: BSD-2-Clause
# Fields of memory accesses: every level, snoop, TLB result, lock, block and page size; cache lines with HITM.
. "$PK_TOP/tests/cli/pk-report/memory.bash"
accesses | assemble >memory.pk
show()
{
	echo "== $*"
	pk-report -q --symfs=/nonexistent "$@" memory.pk 2>&1
	echo "status $?"
}
show --by=mem --show=samples
show --by=mem_op,snoop --show=samples
show --by=tlb,locked,blocked --show=samples
show -s data_page_size,code_page_size -F sample
show --by=data_page_size --show='samples,max(data_page_size)' --unit=K --order=samples
show --csv --by=cacheline --show='sum(hitm),sum(hitm_local),sum(hitm_remote),sum(mem_load),sum(mem_store),samples' --order='sum(hitm)'
show --csv --by=cacheline,cacheoff --show='sum(hitm)' --where='cacheline >= 0x7000c0 && cacheline < 0x700140'
show --json --by=data_symbol,data_dso --show=samples --where='addr > 0x700240 || addr == 0x700148' --weight=weight
show -s comm_nodigit,phys_daddr,dcacheline --limit=2 -F overhead --weight=weight
show -s socket,cpu -n
show -s socket,cpu -n --socket-filter=1
show -s socket,cpu -n --socket-filter='!1' --percentage=relative
show --view mem --limit=3
show --view c2c --limit=3
pk-script -q -F data_src memory.pk | sed 's/ *$//' | sort -u | head -n 4
# transactions
{
	header
	event_of 1 'PERIOD TRANSACTION'
	name 1 cycles
	comm 5 5 app
	time=0
	for bits in 0 1 2 0x6 0xa 0x12 0x26 0x4a 0x8a 0x500000026 0x700000000; do
		sample_of user 1 5 0x1000 time=$((++time)) period=1 transaction=$bits
	done
} | assemble >transactions.pk
pk-report -q -s transaction -F sample transactions.pk
pk-report -q --by=transaction --show=samples --limit=2 transactions.pk
# samples without a data source
{
	header
	event 1 7
	sample 7 5 0x1000
} | assemble >plain.pk
for view in mem mem-levels c2c; do
	echo "== $view"
	pk-report --view $view plain.pk 2>&1 | cut -c1-150
done
pk-report --by=addr --show=samples plain.pk 2>&1 | tail -n 1
