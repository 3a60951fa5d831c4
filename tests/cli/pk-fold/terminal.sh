# SPDX-License-Identifier: BSD-2-Clause
# A terminal is no recording.
"$PK_BUILD/tests/live/on_terminal" bash -c "pk-fold; echo status \$?"
