# SPDX-License-Identifier: BSD-2-Clause
"""page_data.py NAME PAGE RECORDING COUNT: compares the data of a page with pk-report."""
import sys

from page_numbers import Page, differences, report_functions, report_threads, shares

name, path, recording, count = sys.argv[1:5]
page, compared, lines = Page(path), 0, 0
for selection in page.selections(int(sys.argv[5]) if len(sys.argv) > 5 else 1, int(count)):
    functions, all_ = page.functions(selection)
    threads, _ = page.threads(selection)
    for ours, theirs in ((shares(functions, all_, 2), report_functions(page, selection, recording)),
                         (shares(threads, all_, 1), report_threads(page, selection, recording))):
        for key, a, b in differences(ours, theirs)[:5]:
            print(name, selection, key, a, b)
        lines += len(theirs)
    compared += 1
print(f"{name}: {page.head['sums']} sums, {compared} selections, {lines} lines")
