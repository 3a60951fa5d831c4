# SPDX-License-Identifier: BSD-2-Clause
# long
# Some of the calls that fail in programs that look for objects (long/lookups: all of them): "could not look" is never
# "has none", and status 0 means the same output as without the fault.
set -u
. "$PK_TOP/tests/sweep/inputs.bash"
. "$PK_TOP/tests/sweep/objects.bash"
SWEEP_OPTIONS="-k memory -k read -k open -k look -k map -m 7"
[ -z "$PK_SAN" ] || SWEEP_OPTIONS="-k memory -k read -m 8"
. "$PK_TOP/tests/sweep/lookups.bash"
exit $bad
