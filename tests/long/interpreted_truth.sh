# SPDX-License-Identifier: BSD-2-Clause
# timeout: 3000
# As live/interpreted_truth, with 100,000 moments of each version.
ROUNDS=360 . "$PK_TOP/tests/live/interpreted_truth.sh"
