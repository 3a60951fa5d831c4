# SPDX-License-Identifier: BSD-2-Clause
# timeout: 1800
# tests/faults/damage.sh with each bit flipped.
PK_EACH_BIT='' . "$PK_TOP/tests/faults/damage.sh"
