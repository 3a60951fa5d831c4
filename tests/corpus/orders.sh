# SPDX-License-Identifier: BSD-2-Clause
# long
# timeout: 1800
# tests/cli/stages/orders.sh with all recordings of deferred callchains and of scheduling.
PK_ALL_ORDERS=1 . "$PK_TOP/tests/cli/stages/orders.sh" >out
cat out
[ "$(cat out)" = "30 combinations or more" ]
