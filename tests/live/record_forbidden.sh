# SPDX-License-Identifier: BSD-2-Clause
# Where no program may record, as in most containers, that is what is said, and what to do.
# shellcheck disable=SC2034 # for what is sourced
without_recording=1
. "$PK_TOP/tests/live/record.bash"

# EPERM and ENOSYS, as containers have it.
deny_perf 1 true || skip "no seccomp here"
if [ "$(id -u)" = 0 ]; then
	expect 1 'forbidden here.*seccomp' deny_perf 1 pk-record -- true
	expect 1 'forbidden here.*seccomp' deny_perf 1 pk-record -a -e cpu-clock --for 1s
fi
expect 1 'built without it, or a seccomp filter' deny_perf 38 pk-record -- true
expect 1 'built without it, or a seccomp filter' deny_perf 38 pk-stat -e page-faults,task-clock -- true
exit 0
