# SPDX-License-Identifier: BSD-2-Clause
# pk-span calls: a return belongs to the newest call of its thread with the same return address.
. "$PK_TOP/tests/cli/stream.bash"

# sample_at TIME TID IP ADDR CALLER FROM TO TYPE: a sample of `calls`; TYPE is the number of the type
sample_at()
{
	echo "SAMPLE misc=(user) id=1 ip=$3 pid=5 tid=$2 time=$1 period=1 addr=$4"
	echo "  ips[0]=0xfffffffffffffe00 ips[1]=$3 ips[2]=$5"
	echo "  branch[0]=$6 -> $7 type=$8"
}

# call TIME TID TYPE FROM TO CALLER
call() { sample_at "$1" "$2" "$5" "$4" "$6" "$4" "$5" "$3"; }

# return_to TIME TID TYPE FROM TO
return_to() { sample_at "$1" "$2" "$4" "$5" "$5" "$4" "$5" "$3"; }
{
	header
	echo 'HEADER_ATTR attr_type=0 config=4 sample_period=1 id=1 branch_sample_type=8 attr_size=96'
	echo '  sample_type=(IDENTIFIER IP TID TIME PERIOD ADDR CALLCHAIN BRANCH_STACK) flags=(sample_id_all exclude_callchain_user)'
	name 1 calls
	comm 5 5 app
	maps 5 0x400000 0x10000 /opt/app
	return_to 5 5 6 0x401900 0x409000 # a return without a call
	call 10 5 4 0x401000 0x402000 0x401005
	call 12 6 4 0x401000 0x402000 0x401005 # the same call in another thread
	call 20 5 4 0x402010 0x402000 0x402015 # a call of itself
	call 30 5 4 0x402010 0x402000 0x402015
	return_to 40 5 6 0x402090 0x402015
	call 50 5 4 0x402020 0x403000 0x402025 # returns by longjmp()
	return_to 60 5 6 0x402090 0x402015
	call 70 5 7 0x402030 0 0x402032 # a system call: the trace stops, and starts
	return_to 75 5 0 0 0x402032
	return_to 80 5 6 0x402090 0x401005
	call 90 6 12 0x402040 0 0x402040 # an interrupt
	return_to 93 6 0 0 0x402040
	return_to 99 6 6 0x402090 0x401005
} | assemble >calls.pk
pk-symbolize -q --symfs=/nonexistent calls.pk | pk-span calls | pk-script -q --ns -F tid,time,event,ip,caller,trace
echo "== types"
pk-report -q --by branch_type --show samples calls.pk
