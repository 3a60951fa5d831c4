# SPDX-License-Identifier: BSD-2-Clause
"""page_code.py SEED COUNT PAGE RECORDING: compares the view "Code" of a page with the instructions of pk-annotate --json, for
random selections. Also compares the sums of source lines with those of their instructions, and searches for a function."""
import json
import os
import subprocess
import sys

from browser import Browser
from page_numbers import Page, conditions, plain
from page_tables import CATCH, READY, fragment, table


def annotated(page, selection, recording):
    """{(function, object): {address: (samples, period, text)}} of pk-annotate."""
    filtered = subprocess.run(["pk-filter", "-q", *conditions(page, selection), recording], capture_output=True).stdout
    lines = subprocess.run(["pk-annotate", "-q", "--json", "--min-percent=0", "--event=" + selection["event"]], input=filtered,
                           capture_output=True).stdout
    return {(fn["function"], fn["object"]): {i["address"].removeprefix("0x"): (i["samples"][0], i["period"][0], plain(i["text"]))
                                             for i in fn.get("instructions", [])}
            for fn in map(json.loads, lines.decode("utf-8", "surrogateescape").splitlines())}


def rows_of(browser, number, lines=False):
    browser.run(f"document.getElementById('code-function').value = {number}; "
                "document.getElementById('code-function').dispatchEvent(new Event('change'))")
    if (browser.run("document.getElementById('code-lines').getAttribute('aria-pressed')") == "true") != lines:
        browser.run("document.getElementById('code-lines').click()")
    return table(browser, "code")


def compare(browser, page, selection, recording, code):
    theirs, compared = annotated(page, selection, recording), 0
    for number, fn in enumerate(code):
        if not fn["rows"]:
            continue
        rows, by_line = rows_of(browser, number), rows_of(browser, number, lines=True)
        instructions = [i for i, kind in enumerate(fn["rows"][::3]) if kind == 0]
        ours = {rows[i]["Place"]: (int(rows[i]["Samples"]), int(rows[i]["Weight"]),
                                   plain(rows[i]["Source and instructions"])) for i in instructions}
        expected = theirs.get((fn["function"], fn["object"])) or {a: (0, 0, t) for a, (_, _, t) in ours.items()}
        if ours != expected:
            print("differs:", selection, fn["function"], sorted(set(ours.items()) ^ set(expected.items()))[:4])
        if by_line and sum(int(row["Samples"]) for row in by_line) != sum(n for n, _, _ in ours.values()):
            print("lines differ:", selection, fn["function"])
        compared += sum(n for n, _, _ in ours.values())
    return compared


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    page, recording = Page(sys.argv[3]), sys.argv[4]
    browser = Browser()
    browser.open("file://" + os.path.abspath(sys.argv[3]))
    if browser.run(READY) != "true":
        sys.exit(browser.run("document.body.textContent"))
    browser.run(CATCH)
    code, samples, selections = page.head["code"], [], list(page.selections(seed, count))
    for selection in selections:
        browser.run("location.hash = " + repr("#" + fragment(page, selection, "code")) +
                    "; new Promise(done => setTimeout(done, 20))")
        samples.append(compare(browser, page, selection, recording, code))
    print(len(selections), "selections,", sum(n > 0 for n in samples) > len(samples) // 2, "samples:", samples[0] > 0)
    shown = next(fn["function"] for fn in code if fn["rows"])
    browser.run(f"location.hash = '#tab=code&search=^{shown}$'; new Promise(done => setTimeout(done, 20))")
    found = browser.run("[...document.getElementById('code-function').options].map(option => option.textContent)")
    print("search:", len(found), found[0].startswith(shown + " ("))
    browser.run("location.hash = '#tab=code&search=%3Cnothing'; new Promise(done => setTimeout(done, 20))")
    print(browser.run("document.getElementById('code-note').textContent"), len(table(browser, "code")))
    print("hacked:", browser.run("typeof hacked"), "elements:", browser.run("document.querySelectorAll('img, script, b').length"))
    print("errors:", browser.errors())
    browser.close()


main()
