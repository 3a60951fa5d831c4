# SPDX-License-Identifier: BSD-2-Clause
# A malformed list of the CPUs of a PMU is reported.
pmu=sys/bus/event_source/devices/foo
mkdir -p $pmu/format
echo 4 >$pmu/type
echo config:0-7 >$pmu/format/event
for list in '0-1,' x 0-70000; do
	echo "$list" >$pmu/cpus
	SYSFS_PATH=sys pk-stat -e foo/event=0/ true 2>&1 | grep -aF lookup
	SYSFS_PATH=sys pk-record -o /dev/null -e foo/event=0/ true 2>&1 | grep -aF lookup
done
