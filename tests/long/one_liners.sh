# SPDX-License-Identifier: BSD-2-Clause
# tests/live/one_liners.sh with all tracepoints of system calls.
PK_ALL=1 . "$PK_TOP/tests/live/one_liners.sh"
