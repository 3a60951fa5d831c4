# SPDX-License-Identifier: BSD-2-Clause
# long
# The description of the machine in a recording is that of sysfs, and perf reads it.
. "$PK_TOP/tests/live/record.bash"
. "$PK_TOP/tests/live/fake_sysfs.bash"

pk-record -q -e cpu-clock -o out.pk -- true || fail "status $?"
pk-script -q --header-only -I out.pk >shown || fail "header: status $?"
grep -qE '^# pk version : [0-9]+\.[0-9]+$' shown || fail "no version of pk"
if [ -r /sys/devices/system/cpu/cpu0/topology/core_id ]; then
	grep -q "^# CPU 0: Core ID $(cat /sys/devices/system/cpu/cpu0/topology/core_id), " shown || fail "no topology"
	grep -q "^# sibling sockets : $(cat /sys/devices/system/cpu/cpu0/topology/core_siblings_list)$" shown || fail "no siblings"
	[ "$(grep -c '^# CPU [0-9]*: ' shown)" = "$(sed -n 's/^# nrcpus avail : //p' shown)" ] || fail "not all CPUs"
fi
for node in /sys/devices/system/node/node[0-9]*; do
	[ -r "$node/cpulist" ] || continue
	grep -q "^# ${node##*/} cpu list : $(cat "$node/cpulist")$" shown || fail "no ${node##*/}"
	grep -q "^# ${node##*/} meminfo  : total = $(awk '/MemTotal/ { print $4 }' "$node/meminfo") kB" shown || fail "no memory of ${node##*/}"
done
for cache in /sys/devices/system/cpu/cpu0/cache/index[0-3]; do
	[ -r "$cache/size" ] || continue
	grep -qE "^#  L$(cat "$cache/level") $(cat "$cache/type") +$(cat "$cache/size") \[$(cat "$cache/shared_cpu_list")\]$" shown ||
		fail "no cache ${cache##*/}"
done
for pmu in /sys/bus/event_source/devices/*; do
	grep -qE "^# pmu mappings: .*${pmu##*/} = $(cat "$pmu/type")(,|$)" shown || fail "no PMU ${pmu##*/}"
done
if [ -r /sys/devices/system/memory/block_size_bytes ]; then
	grep -q "^# memory nodes (nr [0-9]*, block size 0x$(cat /sys/devices/system/memory/block_size_bytes))" shown || fail "no blocks of memory"
fi

# Capabilities of PMUs, which virtual machines lack.
fake_sysfs intel
for pmu in cpu cpu_other; do
	mkdir -p "intel/bus/event_source/devices/$pmu/caps"
	echo 32 >"intel/bus/event_source/devices/$pmu/caps/branches"
	echo icelake >"intel/bus/event_source/devices/$pmu/caps/pmu_name"
done
SYSFS_PATH=$PWD/intel pk-record -q -e cpu-clock -o caps.pk -- true || fail "caps: status $?"
pk-script -q --header-only -I caps.pk >caps
grep -q '^# cpu pmu capabilities: branches=32, pmu_name=icelake$' caps || fail "no capabilities of the CPU"
grep -q '^# cpu_other pmu capabilities: branches=32, pmu_name=icelake$' caps || fail "no capabilities of another PMU"
# A machine without any of this
mkdir none
SYSFS_PATH=$PWD/none pk-record -q -e cpu-clock -o none.pk -- true || fail "no sysfs: status $?"
check none.pk

# 512 CPUs, whose caches do not fit into a record
mkdir -p large/devices/system/cpu
echo 0-511 | tee large/devices/system/cpu/present >large/devices/system/cpu/online
for ((cpu = 0; cpu < 512; cpu++)); do
	cache=large/devices/system/cpu/cpu$cpu/cache/index0
	mkdir -p $cache
	for line in level:1 coherency_line_size:64 number_of_sets:64 ways_of_associativity:8 type:Data size:32K shared_cpu_list:$cpu; do
		echo "${line#*:}" >"$cache/${line%:*}"
	done
done
SYSFS_PATH=$PWD/large pk-record -q -e cpu-clock -o large.pk -- true || fail "large: status $?"
[ "$(pk-script -q --header-only -I large.pk | grep -c '^#  L1 Data  *32K \[[0-9]*\]$')" = 512 ] || fail "large: not all caches"
check large.pk

# perf reads it without messages, and prints the same.
perf_reads out.pk
perf_reads caps.pk
perf_reads none.pk
perf_reads large.pk
if command -v perf >/dev/null && perf --version | grep -q ' 6\.1'; then
	for file in out caps; do
		perf report --header-only -I -i - <$file.pk >perf.txt 2>perf.err || fail "perf report: $(cat perf.err)"
		grep . perf.err && fail "perf report has something to say"
		pk-script -q --header-only -I $file.pk | sed 's/^# pk version : /# perf version : pk /' >shown
		grep -vE '^# (captured|header version|data|feat|===)|^#$' perf.txt | grep -vxFf shown && fail "$file: perf prints something else"
	done
fi
exit 0
