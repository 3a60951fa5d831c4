# SPDX-License-Identifier: BSD-2-Clause
# timeout: 1200
#
# The metrics of processors have the values of perf, on counters whose values are known. PK_PERF is the perf, PK_PMU_EVENTS the
# folder tools/perf/pmu-events of its sources. PK_CPUIDS has the processors, PK_METRICS only some metrics.
set -u
if [ -z "${PK_PMU_EVENTS-}" ] || [ -z "${PK_PERF-}" ]; then
	echo "PK_PMU_EVENTS and PK_PERF are not set" >&2
	exit 77
fi
"$PK_TOP/share/event_tables.py" "$PK_PMU_EVENTS" tables || exit
failed=0
for cpuid in ${PK_CPUIDS-GenuineIntel-6-55-4 GenuineIntel-6-8F-8 AuthenticAMD-25-11-1}; do
	rm -rf sysfs
	python3 "$PK_TOP/tests/long/metric_values.py" "$cpuid" "$PWD/tables/x86.events" "$PK_BUILD/tests/faults/fake_counters.so" || failed=1
done
exit $failed
