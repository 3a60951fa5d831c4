# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Sourced by tests of memory accesses: a stream with every level, snoop, TLB result, lock and page size.
. "$PK_TOP/tests/cli/stream.bash"

# data_src FIELD=VALUE...: the number. op lvl snoop lock tlb num remote snoopx blk hops, each as its bits.
data_src()
{
	local op=2 lvl=0 snoop=0 lock=0 tlb=0 num=0 remote=0 snoopx=0 blk=0 hops=0
	local "$@"
	printf '0x%x' $((op | lvl << 5 | snoop << 19 | lock << 24 | tlb << 26 | num << 33 | remote << 37 | snoopx << 38 | blk << 40 | hops << 43))
}

# access ADDRESS WEIGHT [FIELD=VALUE...]: a sample at 0x401000 + WEIGHT, in time order
access()
{
	local address=$1 weight=$2
	shift 2
	time=$((${time-1000} + 1000))
	echo "SAMPLE misc=(user) id=1 ip=$((0x401000 + weight)) pid=5 tid=5 time=$time addr=$address cpu=$((weight % 4)) period=1 weight=$weight"
	echo "  data_src=$(data_src "$@") phys_addr=$((address + 0x100000000)) data_page_size=${page-4096} code_page_size=${page-4096}"
}

accesses()
{
	local weight=10 bit page
	header
	feature NRCPUS 'available=4 online=4'
	feature CPU_TOPOLOGY 'unknown={4:0 4:0}' 'unknown={4:0 4:0 4:0 4:1 4:1 4:0 4:1 4:1}'
	feature NUMA_TOPOLOGY 'unknown={4:2 4:0 8:1000 8:500 4:8}' 'unknown="0-1"' 'unknown={5:0 4:1 8:1000 8:500 4:8}' 'unknown="2-3"' 'unknown={5:0}'
	echo 'HEADER_ATTR attr_type=4 config=0x1cd sample_period=1 id=1'
	echo '  sample_type=(IDENTIFIER IP TID TIME ADDR CPU PERIOD WEIGHT DATA_SRC PHYS_ADDR DATA_PAGE_SIZE CODE_PAGE_SIZE)'
	echo '  flags=(sample_id_all)'
	name 1 mem-loads
	comm 5 5 worker-12
	maps 5 0x401000 0x100000 /opt/app
	echo 'MMAP2 misc=0x2002 pid=5 tid=5 addr=0x700000 len=0x100000 pgoff=0 prot=3 flags=2 filename="/opt/app.data"'
	# bits of the level with hit and miss, and numbers of newer kernels, here and elsewhere
	for bit in 3 4 5 6 7 8 9 10 11 12 13; do
		access 0x700000 $((weight++)) lvl=$((1 << bit | 2)) snoop=2
		access 0x700040 $((weight++)) lvl=$((1 << bit | 4)) snoop=8
	done
	for bit in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do
		access 0x700080 $((weight++)) lvl=2 num=$bit
		access 0x700084 $((weight++)) lvl=4 num=$bit remote=1 hops=$((bit % 5))
	done
	access 0x700084 $((weight++)) lvl=1
	# snoops and their extensions, with HITM in the same and in another node
	for bit in 0 1 2 3; do
		access 0x7000c0 $((weight++)) lvl=0x42 snoop=$((1 << bit))
	done
	access 0x7000c0 $((weight++)) lvl=0x42 snoop=0x10
	access 0x7000c8 $((weight++)) lvl=0x42 snoop=0x10
	access 0x7000c8 $((weight++)) lvl=0x402 snoop=0x10
	access 0x700108 $((weight++)) lvl=0x802 snoop=0x10
	access 0x700150 $((weight++)) lvl=0x82 snoop=0x10 remote=1
	access 0x700150 $((weight++)) lvl=0x82 snoop=0x10 remote=1 hops=1
	access 0x700118 $((weight++)) lvl=0x42 snoopx=1
	access 0x700118 $((weight++)) lvl=0x42 snoop=4 snoopx=2
	# stores, other operations
	for bit in 4 8 16 6 0 1; do
		access 0x700108 $((weight++)) op=$bit lvl=0xa snoop=1
	done
	access 0x700148 $((weight++)) op=4 lvl=0xc
	# TLB, locks, blocks
	for bit in 0 1 0xa 0x12 0x1a 0x22 0x24 0x42; do
		access 0x700180 $((weight++)) lvl=0xa tlb=$bit
	done
	for bit in 0 1 2; do
		access 0x7001c0 $((weight++)) lvl=0xa lock=$bit
	done
	for bit in 0 1 2 4 6; do
		access 0x700200 $((weight++)) lvl=0xa blk=$bit
	done
	for page in 0 4096 65536 2097152 1073741824; do
		access 0x700240 $((weight++)) lvl=0xa
	done
	unset page
	access 0x900000 $((weight++)) lvl=0xa # no map
}
