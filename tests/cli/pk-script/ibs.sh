# SPDX-License-Identifier: BSD-2-Clause
# The registers in samples of AMD's IBS are fields: in dumps, in texts, in tables and in conditions.
. "$PK_TOP/tests/cli/stream.bash"
stream() # CPUID
{
	header
	for type in 11 10 12; do
		echo "HEADER_ATTR attr_type=$type sample_type=(IP TID TIME RAW IDENTIFIER) flags=(sample_id_all) id=$type"
	done
	feature CPUID "cpuid=\"$1\""
	feature PMU_MAPPINGS 'pmu[0].type=10 pmu[0].name="ibs_fetch" pmu[1].type=11 pmu[1].name="ibs_op"'
	name 11 'ibs_op//' && name 10 'ibs_fetch//' && name 12 'other//'
	comm 5 5 prog
}

raw() # ID TIME RAW
{
	echo "SAMPLE misc=(user) id=$1 ip=0x401000 pid=5 tid=5 time=$2 raw={$3}"
}

op='8:0x12347f71000 8:0x401000 8:0x1fc00300010'
{
	stream AuthenticAMD,26,2,1
	# a load; a branch; a software prefetch; a sample that is not valid; a sample that is too short
	raw 11 1000 "4:0x91fff $op 8:0x43 8:0x120034fd970081 8:0x7f0012345678 8:0x12345678 8:0"
	raw 11 2000 "4:0x91fff 8:0x12347f71000 8:0x401000 8:0x2c00300010 8:0 8:0 8:0 8:0 8:0x401020"
	raw 11 3000 "4:0x7ff $op 8:0x3 8:0x120034fde10081 8:0x7f0012345678 8:0x12345678 8:0"
	raw 11 4000 "4:0x7ff 8:0x12347f51000 8:1 8:2 8:3 8:4 8:5 8:6"
	raw 11 5000 "4:0x7ff $op 4:0"
	raw 11 5500 "2:0x7ff"
	raw 10 6000 '4:0xfff 8:0x3fb7001000021000 8:0x401000 8:0x12345000 8:0x43'
	raw 10 7000 '4:0x1ff 8:0x27001000021000 8:0x401000 8:0'
	raw 12 8000 "4:0x91fff $op 8:0x43 8:0x120034fd970081 8:0x7f0012345678 8:0x12345678 8:0"
} >text
assemble <text >ibs.pk
pk-script --dump ibs.pk | grep -v '^  [a-qs-z]' | sed -n '/SAMPLE/,$p'
echo '== text'
pk-script -q -F time,event,trace ibs.pk
pk-script -q -F time,event,dc_miss_lat,op_mem_width,dc_phys_addr,l1tlb_pgsz ibs.pk
echo '== without -F'
pk-script -q ibs.pk | head -n 1
echo '== json'
pk-script -q --json -F time,trace ibs.pk | grep -o '"time.*dc_miss_lat":[^,]*\|"fetch_phys_addr.*'
echo '== conditions'
pk-filter -q --where 'dc_miss_lat > 10 && op_data_src == 11' ibs.pk | pk-script -q -F time,dc_lin_addr
pk-report -q --by op_brn_misp,br_target ibs.pk
echo '== Zen 3'
sed 's/AuthenticAMD,26/AuthenticAMD,25/; s/0x91fff/0x7ff/' text | assemble | pk-script -q --dump | grep 'time\|data_src\|l2_miss\|pgsz\|ic_miss'
echo '== fetches without a physical address'
sed 's/AuthenticAMD,26,2/AuthenticAMD,26,80/' text | assemble | pk-script -q --dump | sed -n '/time=6000/,/^[0-9]/p;/time=7000/,/^[0-9]/p' | grep raw.
