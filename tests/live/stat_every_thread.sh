# SPDX-License-Identifier: BSD-2-Clause
# pk-stat -a --per-thread counts each thread of the machine.
set -eu
pk-stat -o /dev/null -a -e task-clock -- true 2>err || {
	echo "counting is not possible here: $(head -1 err)" >&2
	exit 77
}
pk-stat -x, -o threads -a --per-thread -e task-clock -- sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done'
awk -F, '$1 ~ /^sh-[0-9]+$/ && $2 > 1 { ran = 1 } END { exit !ran }' threads || {
	echo "the command is not among the threads, or did not run:"
	head threads
	exit 1
}
[ "$(cut -d, -f1 threads | sort -u | wc -l)" -gt 2 ] || {
	echo "no other threads:"
	cat threads
	exit 1
}
