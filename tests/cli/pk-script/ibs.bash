# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Sourced by tests of AMD's IBS: the text of a stream whose samples have registers of IBS as raw bytes.
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
# ibs CPUID: the stream
ibs()
{
	stream "$1"
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
}
