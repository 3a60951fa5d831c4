# SPDX-License-Identifier: BSD-2-Clause
# timeout: 1800
# tests/faults/damage.sh cut at each byte, and with each bit flipped.
PK_ALL=1 . "$PK_TOP/tests/faults/damage.sh"
