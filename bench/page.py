# SPDX-License-Identifier: BSD-2-Clause
"""page.py PAGE: opens a page (pk-plot page) in headless Chromium, and prints lines "WHAT<TAB>MILLISECONDS". Times of steps
are those from the input to the frame that shows its result, the longest of three. `paint` is from the start of loading to
the first frame with all views. `scroll` is the median and the longest time between two frames."""
import os
import statistics
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../tests/live"))
from browser import Browser

PAINT = """new Promise(done => {
	const look = () => document.body && document.body.dataset.ready ?
		requestAnimationFrame(() => setTimeout(() => done(performance.now()))) : setTimeout(look, 1);
	look();
})"""
STEP = """new Promise(done => {
	const start = performance.now();
	%s;
	requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
})"""
GO = "history.replaceState(null, '', '#%s'); dispatchEvent(new HashChangeEvent('hashchange'))"
TYPE = "const box = document.getElementById('search'); box.value = '%s'; box.dispatchEvent(new Event('input'))"
MODE = "const box = document.getElementById('mode'); box.value = '%s'; box.dispatchEvent(new Event('change'))"
TAB = "document.getElementById('tab-%s').click()"
STEPS = [("select a range", GO % "slots=100-700"), ("select a thread", GO % "tid=1003"), ("select all", GO % ""),
         ("search", TYPE % "function_1"), ("end the search", TYPE % ""),
         ("tab calls", TAB % "calls"), ("tab callers", TAB % "callers"), ("tab functions", TAB % "functions"),
         ("tab threads", TAB % "threads"), ("tab flame", TAB % "flame"),
         ("inverted", MODE % "inverted"), ("in time", MODE % "time"), ("by caller", MODE % "callers")]
SCROLL = """new Promise(done => {
	const box = document.querySelector('%s'), times = [];
	let last = performance.now();
	const frame = () => {
		const now = performance.now();

		times.push(now - last);
		last = now;
		box.scrollTop = times.length * 173 %% Math.max(1, box.scrollHeight - box.clientHeight);
		if (times.length < 100)
			requestAnimationFrame(frame);
		else
			done(times.slice(3));
	};
	requestAnimationFrame(frame);
})"""


def main():
    browser = Browser()
    url = "file://" + os.path.abspath(sys.argv[1])
    paints = []
    for _ in range(3):
        browser.open("about:blank")
        browser.open(url)
        paints.append(browser.run(PAINT))
    print("paint", round(statistics.median(paints)), sep="\t")
    times = {}
    for _ in range(3):
        for name, code in STEPS:
            times.setdefault(name, []).append(browser.run(STEP % code))
    for name, values in times.items():
        print(name, round(max(values)), sep="\t")
    for tab in ("functions", "calls", "callers"):
        browser.run(TAB % tab)
        if tab != "functions":
            browser.run("document.getElementById('expand').click()")
        frames = browser.run(SCROLL % f".grid.{tab} .body")
        print(f"scroll {tab}", round(statistics.median(frames)), round(max(frames)), sep="\t")
    browser.close()


main()
