# SPDX-License-Identifier: BSD-2-Clause
# Intel PT without the code of the program: the branches with an address, and the losses.
. "$PK_TOP/tests/cli/pk-decode/spe.bash"
psb=02820282028202820282028202820282
head="$psb$(printf 19e8030000000000)99010223"
start=710010400000
recording()
{
	echo 'HEADER_ATTR attr_type=8 config=0x400 sample_period=1 id=7'
	echo '  sample_type=(IP TID TIME CPU PERIOD IDENTIFIER) flags=(sample_id_all)'
	echo 'AUXTRACE_INFO aux_type=1 priv[0]=8 priv[1]=0 priv[2]=1 priv[3]=0 priv[4]=1 priv[5]=0x400'
	echo 'COMM pid=5 tid=5 comm="prog"'
	echo 'MMAP misc=(user) pid=5 tid=5 addr=0x400000 len=0x10000 filename="/missing"'
	echo "AUXTRACE payload_size=$((${#1} / 2)) payload=$1 idx=0 cpu=-1 tid=5"
}
{ header; recording "${head}${start}0001${head}${start}0001"; } | assemble >pt.pk
pk-decode pt.pk >out.pk
echo "status $?"
pk-script -F comm,tid,time,event,ip,addr out.pk 2>/dev/null
echo "== from a pipe"
pk-decode <(cat pt.pk) >out.pk
echo "status $?, $(pk-script --dump out.pk | grep -c ' AUX') records of the trace"
echo "== no trace"
{ header; recording 00112233445566778899aabbccddeeff; } | assemble >none.pk
pk-decode none.pk | pk-script
