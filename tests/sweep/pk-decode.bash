# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154
. "$PK_TOP/tests/cli/pk-decode/spe.bash"
{
	head_of_trace
	trace 0 0 0 "$(load 0x401000 5 100)$(branch 0x401004 5 300 0x401100 0x0b 0x82)"
	trace 1 1 0 "$(load 0x402000 5 200)"
} | assemble >"$here/trace.pk"
sweep pk-decode "$here/trace.pk"
sweep -i "$here/trace.pk" pk-decode -e memory -e 'l1d-*' -v -o out
sweep pk-decode --every=2 "$here/trace.pk" "$symbolized" "$here/trace.pk"
# Intel PT: the code is that of the program's entry, which the trace executes 40 times.
entry=$(od -An -t u8 -j 24 -N 8 "$PK_BIN/pk-decode" | tr -d ' ')
psb=02820282028202820282028202820282$(printf 19e8030000000000)99010223
{
	header
	echo 'HEADER_ATTR attr_type=8 config=0x400 sample_period=1 id=7'
	echo '  sample_type=(IP TID TIME CPU PERIOD IDENTIFIER) flags=(sample_id_all)'
	echo 'AUXTRACE_INFO aux_type=1 priv[0]=8 priv[1]=0 priv[2]=1 priv[3]=0 priv[4]=1 priv[5]=0x400'
	comm 5 5 prog
	maps 5 0x400000 $(($(stat -c %s "$PK_BIN/pk-decode") & ~4095)) "$PK_BIN/pk-decode"
	address=$(le 6 $((0x400000 + entry)))
	bytes=${psb}71$address
	for i in {1..40}; do
		bytes+=6d$address
	done
	echo "AUXTRACE payload_size=$((${#bytes} / 2)) payload=$bytes idx=0 cpu=-1 tid=5"
} | assemble >"$here/intel.pk"
sweep -i "$here/intel.pk" pk-decode --no-cache -e branches -e calls -o out
sweep pk-decode --no-cache -e instructions --every=3 "$here/intel.pk"
