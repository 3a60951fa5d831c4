# SPDX-License-Identifier: BSD-2-Clause
"""page_diff.py SEED COUNT PAGE BASE RECORDING: opens a page of `pk-plot page --diff BASE`, and compares its table of changes
with pk-report of both recordings for random selections, and with `pk-report --diff` for all samples."""
import csv
import os
import sys

from browser import Browser
from page_numbers import Page, differences, label, plain, report_functions, run
from page_tables import CATCH, READY, fragment, table

COLUMNS = ("Before", "Self before", "Now", "Self now", "Change", "Self change")


def shown(browser):
    """{(label, object): the numbers of COLUMNS}"""
    found = {}
    for row in table(browser, "compare"):
        object_ = plain(row["Object"])
        item = found.setdefault((label(row["Function"], object_), object_), [0] * len(COLUMNS))
        for i, name in enumerate(COLUMNS):
            item[i] += float(row[name])
    return found


def expected(page, selection, base, recording):
    everything = {"event": selection["event"], "pid": None, "tid": None, "cpu": None, "slots": None}
    before = report_functions(page, everything, base)
    now = report_functions(page, selection, recording)
    found = {}
    for key in before.keys() | now.keys():
        a, b = before.get(key, [0, 0, 0]), now.get(key, [0, 0, 0])
        found[key] = [*a[:2], *b[:2], b[0] - a[0], b[1] - a[1]]
    return found


def report_changes(event, base, recording):
    """{(label, object): [share in the base, share, difference]}"""
    text = run("pk-report", "--csv", "--merge-events", "--no-cache", "--event=" + event, "--by=symbol,dso",
               "--show=baseline,share,delta", "--diff=" + base, recording)
    found = {}
    for line in csv.DictReader(text.splitlines()):
        object_ = plain(line["dso"])
        item = found.setdefault((label(line["symbol"], object_), object_), [0, 0, 0])
        before, now = float(line["baseline"] or 0), float(line["share"] or 0)
        # A function of one recording only has no delta.
        for i, number in enumerate((before, now, float(line["delta"] or now - before))):
            item[i] += number
    return found


def changed(event, base, recording, rate):
    """{(label, object)} of the functions whose own share has changed."""
    text = run("pk-report", "-q", "--csv", "--no-cache", "--event=" + event, "--by=symbol,dso", "--show=change,mark", f"--fdr={rate}",
               "--diff=" + base, "--", recording)
    lines = list(csv.DictReader(text.splitlines()))
    return {(label(line["symbol"], plain(line["dso"])), plain(line["dso"])) for line in lines if line["mark"] == "changed"}


def check_marks(page, base, recording):
    """The marks of the page are those of pk-report. The page tests more rows together, so the limits differ a little."""
    strings, frames, found = page.head["strings"], page.head["frames"], 0
    for i, (event, _) in enumerate(page.head["events"]):
        surely, perhaps = (changed(event, base, recording, rate) for rate in (0.001, 30))
        for j, bits in enumerate(page.changes[i]):
            name, object_, flags = frames[3 * j:3 * j + 3]
            object_ = plain(strings[object_ - 1] if object_ else "")
            key = (label(strings[name - 1] if name else "", object_), object_)
            if not flags & 0x180 and (key in surely and not bits & 2 or bits & 2 and key not in perhaps):
                print("mark", event, key, bits)
            found += bits & 2 == 2
    return found


def main():
    seed, count, path, base, recording = int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:6]
    browser, page, compared = Browser(), Page(path), 0
    browser.open("file://" + os.path.abspath(path))
    if browser.run(READY) != "true":
        sys.exit(browser.run("document.body.textContent"))
    browser.run(CATCH)
    for selection in page.selections(seed, count):
        browser.run("location.hash = " + repr("#" + fragment(page, selection, "compare")) +
                    "; new Promise(done => setTimeout(done, 20))")
        ours = shown(browser)
        for key, a, b in differences(ours, expected(page, selection, base, recording))[:3]:
            print(selection, key, a, b)
        if not any(selection[name] for name in ("pid", "tid", "cpu", "slots")):
            self = {key: [item[1], item[3], item[5]] for key, item in ours.items()}
            for key, a, b in differences(self, report_changes(selection["event"], base, recording))[:3]:
                print("--diff", selection, key, a, b)
        compared += len(ours)
    print(f"{os.path.basename(path)}: {compared > 20 * count} functions, errors: {browser.errors()}")
    print("marks:", check_marks(page, base, recording), "not grey:", browser.run("""[...document.querySelectorAll('#panel-compare .space .row')].reduce(
        (sum, row) => sum + 2 - row.querySelectorAll('.grey').length, 0)"""))
    browser.run("document.getElementById('tab-flame').click()")
    print("legend:", browser.run("document.querySelectorAll('#legend span').length"), "colours,",
          browser.run("/[+−]/.test(document.getElementById('legend').textContent)"))
    browser.close()


main()
