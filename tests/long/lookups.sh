# SPDX-License-Identifier: BSD-2-Clause
# timeout: 7200
# Each call that fails in programs that look for objects: status 0 means the same output as without the fault.
set -u
. "$PK_TOP/tests/sweep/inputs.bash"
. "$PK_TOP/tests/sweep/objects.bash"
SWEEP_OPTIONS=
. "$PK_TOP/tests/sweep/lookups.bash"
exit $bad
