# SPDX-License-Identifier: BSD-2-Clause
# timeout: 3000
# As live/interpreted_truth_ruby, with 100,000 moments of each version.
ROUNDS=320 . "$PK_TOP/tests/live/interpreted_truth_ruby.sh"
