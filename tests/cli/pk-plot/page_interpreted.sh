# SPDX-License-Identifier: BSD-2-Clause
# Pages: functions of Python have the source lines of the stream, each with its samples.
command -v python3 >/dev/null || { echo "python3 is not installed" >&2; exit 77; }
. "$PK_TOP/tests/cli/pk-annotate/interpreted.bash"
stream | assemble | pk-plot page --code 9 -o python.html
PYTHONPATH=$PK_TOP/tests/live python3 -B - <<'T'
from page_numbers import Page
page = Page("python.html")
for fn in page.head["code"]:
    print(fn["function"], fn["object"], fn["reason"])
    for i, place in enumerate(fn["rows"][1::3]):
        samples = sum(s[3] for s, row in zip(page.sums, page.sum_rows) if row == fn["first"] + 1 + i)
        print(f"  {fn['rows'][3 * i]} {place or fn['rows'][3 * i + 2]}: {samples}")
T
