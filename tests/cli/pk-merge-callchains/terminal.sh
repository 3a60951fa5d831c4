# SPDX-License-Identifier: BSD-2-Clause
# Binary is not for terminals, in either direction.
"$PK_BUILD/tests/live/on_terminal" bash -c "pk-merge-callchains '$PK_TOP/format/vectors/good/like-perf-le.pk'; echo status \$?; pk-merge-callchains >/dev/null; echo status \$?"
