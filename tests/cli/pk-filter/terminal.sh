# SPDX-License-Identifier: BSD-2-Clause
# Binary is not for terminals, in either direction.
"$PK_BUILD/tests/live/on_terminal" bash -c "pk-filter '$PK_TOP/format/vectors/good/like-perf-le.pk'; echo status \$?; pk-filter >/dev/null; echo status \$?"
