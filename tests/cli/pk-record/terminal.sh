# SPDX-License-Identifier: BSD-2-Clause
# Binary is not for terminals.
"$PK_BUILD/tests/live/on_terminal" bash -c "pk-record -- true; echo status \$?"
