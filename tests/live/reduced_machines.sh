# SPDX-License-Identifier: BSD-2-Clause
# long
# What once failed where this machine has something that others do not have: see tests/long/matrix.sh.
export PK_MATRIX="quick-cpu-pmu quick-devpts quick-tracefs quick-rate"
exec bash "$PK_TOP/tests/long/matrix.sh"
