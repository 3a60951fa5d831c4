# SPDX-License-Identifier: BSD-2-Clause
# timeout: 3600
# tests/faults/cron_day.sh with more recordings.
CRON_DAY=${CRON_DAY:-200} . "$PK_TOP/tests/faults/cron_day.sh"
