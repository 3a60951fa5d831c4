# SPDX-License-Identifier: BSD-2-Clause
"""page_code.py PAGE CODE: compares the view "Code" of a page with the lines of pk-annotate --json, and the sum of their
samples with those of the page."""
import json
import os
import sys

from browser import Browser
from page_numbers import plain
from page_tables import CATCH, READY, table


def main():
    path, code = sys.argv[1:3]
    functions = []
    for line in open(code, encoding="utf-8"):
        try:
            functions.append(json.loads(line))
        except ValueError:
            print("not JSON:", line.strip())
    functions = [fn for fn in functions if "instructions" in fn and None not in fn["instructions"]]
    browser = Browser()
    browser.open("file://" + os.path.abspath(path))
    if browser.run(READY) != "true":
        sys.exit(browser.run("document.body.textContent"))
    browser.run(CATCH)
    everything = sum(int(row["Samples"]) for row in table(browser, "functions"))
    found = 0
    for i, fn in enumerate(functions):
        browser.run(f"location.hash = '#tab=code&code={i}'; new Promise(done => setTimeout(done, 20))")
        rows = table(browser, "code")
        ours = [(int(row["Samples"]), int(row["Weight"]), row["Source and instructions"].removeprefix("'")) for row in rows]
        theirs, last = [], None
        for item in fn["instructions"]:
            if item.get("file") and (item["file"], item["line"]) != last:
                last = (item["file"], item["line"])
                theirs.append((0, 0, item.get("source", item["file"])))
            theirs.append((item["samples"][0], item["period"][0], item["text"]))
        print(plain(fn["function"])[:20], len(rows), "rows,", "equal," if ours == theirs else (ours[:3], theirs[:3]),
              sum(row[0] for row in ours), "samples")
        found += sum(row[0] for row in ours) if fn["events"] else 0
    print(found, "samples of", everything)
    print("hacked:", browser.run("typeof hacked"), "elements:", browser.run("document.querySelectorAll('img, script, b').length"))
    print("errors:", browser.errors())
    browser.close()


main()
