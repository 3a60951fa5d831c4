# SPDX-License-Identifier: BSD-2-Clause
"""page_tables.py SEED COUNT (PAGE RECORDING)...: opens pages in a browser, selects, and compares all tables with
pk-report and pk-fold."""
import csv
import os
import sys
import urllib.parse

from browser import Browser
from page_numbers import (Page, differences, folded, label, plain, read_folded, report_functions, report_threads)

READY = """new Promise(done => {
	const look = () => document.body && document.body.dataset.ready ? done(document.body.dataset.ready) : setTimeout(look, 5);
	look();
})"""
# What would be copied or saved. Requests would be errors of the Content-Security-Policy.
CATCH = """window.saved = null;
Object.defineProperty(navigator, 'clipboard', {value: {writeText: async text => { window.saved = text; }}});
URL.createObjectURL = blob => { window.blob = blob; return '#'; };
HTMLAnchorElement.prototype.click = () => {};
"""


def fragment(page, selection, tab):
    parts = {"event": selection["event"], "tab": tab}
    for name in ("pid", "tid", "cpu"):
        if selection[name] is not None:
            parts[name] = selection[name]
    if selection["slots"]:
        first = page.times()[0]
        parts["slots"] = "-".join(str(slot - first) for slot in selection["slots"])
    return urllib.parse.urlencode(parts)


def table(browser, tab):
    """The rows of a tab as copied, after a look at those that are shown."""
    browser.run(f"document.getElementById('tab-{tab}').click()")
    if tab in ("calls", "callers"):
        browser.run("document.getElementById('expand').click()")
    browser.run("document.getElementById('csv').click()")
    rows = list(csv.DictReader(browser.run("window.saved").splitlines()))
    shown = browser.run(f"""[...document.querySelectorAll('#panel-{tab} .space .row')].map(row =>
        row.lastChild.textContent)""")
    # A table can be scrolled.
    first = browser.run(f"+(document.querySelector('#panel-{tab} .space .row')?.dataset.index ?? 0)")
    names = [plain(row[list(row)[-1]]) for row in rows[first:first + len(shown)]]
    if [plain(name) for name in shown][:len(names)] != names:
        print("shown and copied differ:", tab, shown[:3], names[:3])
    return rows


def functions(browser, all_):
    found = {}
    for row in table(browser, "functions"):
        object_ = plain(row["Object"])
        item = found.setdefault((label(row["Function"], object_), object_), [0, 0, 0])
        for i, (name, factor) in enumerate((("Total", 100), ("Self", 100), ("Samples", 1))):
            item[i] += factor * float(row[name]) / (all_ if factor > 1 else 1)
    return found


def threads(browser, all_):
    found = {}
    for row in table(browser, "threads"):
        item = found.setdefault((row["Process"], row["Thread"], plain(row["Name"])), [0, 0])
        item[0] += 100 * float(row["Weight"]) / all_
        item[1] += float(row["Samples"])
    return found


def tree(browser, tab):
    """{path: [total, samples]}"""
    found, path = {}, []
    for row in table(browser, tab):
        path[int(row["level"]) - 1:] = [label(row["Function"], row["Object"])]
        item = found.setdefault(tuple(path), [0, 0])
        item[0] += int(row["Total"])
        item[1] += int(row["Samples"])
    return found


def tree_of(weights, samples, reverse):
    found = {}
    for index, stacks in enumerate((weights, samples)):
        for path, weight in stacks.items():
            path = path[::-1] if reverse else path
            for depth in range(1, len(path) + 1):
                found.setdefault(path[:depth], [0, 0])[index] += weight
    return found


def compare(browser, page, selection, recording, what):
    sums = page.functions(selection)[1]
    weights = folded(page, selection, recording)
    samples = folded(page, selection, recording, "--weight=samples")
    pairs = [("functions", functions(browser, sums or 1), report_functions(page, selection, recording)),
             ("threads", threads(browser, sums or 1), report_threads(page, selection, recording)),
             ("calls", tree(browser, "calls"), tree_of(weights, samples, False)),
             ("callers", tree(browser, "callers"), tree_of(weights, samples, True))]
    browser.run("document.getElementById('folded').click()")
    ours = read_folded(browser.run("window.blob.text()"))
    pairs.append(("folded", {k: [v] for k, v in ours.items() if k}, {k: [v] for k, v in weights.items() if k}))
    for name, left, right in pairs:
        for key, a, b in differences(left, right)[:3]:
            print(what, name, selection, key, a, b)
    return sum(len(right) for _, _, right in pairs)


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    browser = Browser()
    browser.call("Network.enable")
    for path, recording in zip(sys.argv[3::2], sys.argv[4::2]):
        page, lines, compared = Page(path), 0, 0
        url = "file://" + os.path.abspath(path)
        browser.open(url)
        if browser.run(READY) != "true":
            sys.exit(browser.run("document.body.textContent"))
        browser.run(CATCH)
        for selection in page.selections(seed, count):
            browser.run("location.hash = " + repr("#" + fragment(page, selection, "flame")) +
                        "; new Promise(done => setTimeout(done, 20))")
            lines += compare(browser, page, selection, recording, os.path.basename(path))
            compared += 1
        requests = [e["params"]["request"]["url"] for e in browser.events
                    if e.get("method") == "Network.requestWillBeSent"]
        print(f"{os.path.basename(path)}: {compared} selections, {lines > 20 * compared} lines,",
              "requests:", len(requests) > 0, [r for r in requests if r.split("#")[0] != url], "errors:", browser.errors())
    browser.close()


if __name__ == "__main__":
    main()
