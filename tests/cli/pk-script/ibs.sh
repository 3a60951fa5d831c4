# SPDX-License-Identifier: BSD-2-Clause
# The registers in samples of AMD's IBS are fields: in dumps, in texts, in tables and in conditions.
. "$PK_TOP/tests/cli/pk-script/ibs.bash"
ibs AuthenticAMD,26,2,1 >text
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
