# SPDX-License-Identifier: BSD-2-Clause
"""page_spans.py PAGE RECORDING: compares the table of spans of a page with pk-report: number and time of the spans of each
event and thread, also for a thread, and for a search."""
import csv
import os
import sys

from browser import Browser
from page_numbers import run
from page_tables import CATCH, READY, table


def shown(browser, state):
    """{(thread, event): [number, time]}, and the number of rows."""
    browser.run("location.hash = " + repr("#tab=spans&" + state) + "; new Promise(done => setTimeout(done, 20))")
    found, rows = {}, table(browser, "spans")
    for row in rows:
        item = found.setdefault((row["Thread"], row["Event"]), [0, 0])
        item[0] += int(row["Spans"])
        item[1] += int(row["Time"])
    return found, len(rows)


def report(recording, *options):
    text = run("pk-report", "-q", "--csv", "--no-children", "--by=tid,event", "--show=sum(duration),samples", "--event=pk:*",
               *options, recording)
    return {(row["tid"], row["event"]): [int(row["samples"]), int(float(row["sum(duration)"]))]
            for row in csv.DictReader(text.splitlines())}


def main():
    path, recording = sys.argv[1:3]
    browser = Browser()
    browser.open("file://" + os.path.abspath(path))
    if browser.run(READY) != "true":
        sys.exit(browser.run("document.body.textContent"))
    browser.run(CATCH)
    for state, options in (("", []), ("tid=3", ["--where=tid == 3"]), ("search=^sleep$", ["--where=event == \"pk:sleep\""])):
        (ours, rows), theirs = shown(browser, state), report(recording, *options)
        spans = sum(count for count, _ in theirs.values())
        print(state, spans > 100, "spans,", "merged," if rows < spans else "each a row,",
              "equal" if ours == theirs else [(key, ours.get(key), theirs.get(key)) for key in ours.keys() | theirs.keys()][:5])
    print("errors:", browser.errors())
    browser.close()


main()
