# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154
sweep pk-stat "$vectors/user-stat-le.pk"
sweep pk-stat -j "$vectors/user-stat-le.pk"
pk-stat -o may-count -e task-clock -- true 2>may-count.err || {
	echo "pk-stat: counting is not possible here: $(head -n 1 may-count.err)" >&2
	return 0
}
# What is counted varies: status 0 is right if all lines are there.
counted='grep -q "^[0-9.]*,msec,task-clock" out && grep -q "^[0-9]*,,page-faults" out'
sweep -m 100 -c "$counted" pk-stat -x, -o out -e task-clock,page-faults -- true
sweep -m 100 -c "[ \$(grep -c task-clock out) = 2 ]" pk-stat -j -o out -I 10 --interval-count=2 -e task-clock -p $$
sweep -m 100 -c "grep -q task-clock out && grep -q 'faults_per_ms' out" \
	pk-stat -o out --metric "$data/metrics/software.json:faults_per_ms" -- true
sweep -m 100 -c "pk-script --dump out >dump 2>err && ! [ -s err ] && [ \$(grep -c ' STAT ' dump) -ge 2 ]" \
	pk-stat --stream -o out -e task-clock,page-faults -- true
sweep -m 100 -c "[ \$(grep -c task-clock out) = 1 ]" pk-stat -x, -o out -r 2 -e task-clock -- true
if pk-stat -a -x, -o all -e cpu-clock -- true 2>/dev/null; then
	sweep -m 60 -c "[ \$(grep -c cpu-clock out) = $(grep -c '^processor' /proc/cpuinfo) ]" \
		pk-stat -a -A -x, -o out -e cpu-clock -- true
	sweep -m 60 -c "[ \$(grep -c cpu-clock out) -ge 1 ]" pk-stat -a --per-socket -j -o out -e cpu-clock -- true
fi
