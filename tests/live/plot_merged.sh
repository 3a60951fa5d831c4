# SPDX-License-Identifier: BSD-2-Clause
# long
# Merged spans of a timeline in a browser: the script finds all of them; information, zoom, search.
. "$PK_TOP/tests/live/browser.bash"
. "$PK_TOP/tests/cli/pk-plot/spans.bash"
many_waits >spans.pk
pk-plot timeline spans.pk >merged.svg
python3 -B "$PK_TOP/tests/live/plot_merged.py" "file://$PWD/merged.svg" 2>&1 | diff "$PK_TOP/tests/live/plot_merged.expected" -
