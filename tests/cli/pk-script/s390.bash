# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Sourced by tests of samples of s390: the text of a stream whose samples have counters as raw bytes.
. "$PK_TOP/tests/cli/stream.bash"

sets='2:0xfeef 2:0 2:2 2:0 8:0x11 8:0x22 2:0xfeef 2:3 2:1 2:0 8:0x33'
end='8:0x1800000000000000 2:3 2:7 4:5200 8:0xdb0000000000 8:1 8:2 8:3 8:0x7d91048bca000000 2:0x3931 2:0 2:0 2:0 4:0'
# s390 ARCH: the stream
s390()
{
	echo 'BEGIN byte_order=big'
	for config in 0xbc000 0x1000 0; do
		echo "HEADER_ATTR attr_type=10 config=$config sample_type=(IP TID TIME RAW IDENTIFIER) flags=(sample_id_all) id=$((config + 1))"
	done
	feature ARCH "arch=\"$1\""
	feature CPUID 'cpuid="IBM,3931,704,A01,3.7,002f"'
	feature PMU_MAPPINGS 'pmu[0].type=10 pmu[0].name="cpum_cf_diag"'
	comm 5 5 prog
	while read -r id raw; do
		echo "SAMPLE misc=(user) id=$((id + 1)) ip=0x401000 pid=5 tid=5 time=1000 raw={$raw}"
	done <<-END
		0xbc000 $sets $end
		0xbc000 $sets 2:0xfeef 2:1 2:2 2:0 8:1
		0xbc000 2:0xfeef 2:9 2:1 2:0 8:7
		0xbc000 1:0
		0x1000 2:1 8:1000 2:76 8:5 1:0
		0 $sets $end
	END
}
shown() { sed -n '/SAMPLE/,$p' | grep 'raw\|SAMPLE'; }
