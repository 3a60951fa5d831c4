# SPDX-License-Identifier: BSD-2-Clause
"""page.py PAGE: opens a page (pk-plot page) in headless Chromium, and prints lines "WHAT<TAB>MILLISECONDS<TAB>CPU". Times of
steps are those from the input to the frame that shows its result. CPU is the time of the page's thread on a processor in that
time, in milliseconds: other work on the machine makes it longer only a little. Both are the median of three. `paint` is from the
start of loading to the first frame with all views. `scroll` is the time between two frames, and its CPU time. `longest` is the longest time between two of
100 frames, the smallest of three attempts: other work on the machine makes single frames longer."""
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


def cpu(browser):
    """CPU time that the page's thread has had, in milliseconds."""
    return next(m["value"] for m in browser.call("Performance.getMetrics")["metrics"] if m["name"] == "TaskDuration") * 1000


def measure(browser, times, name, steps):
    """Notes the time that the last step returns, and the CPU time of all steps."""
    start = cpu(browser)
    values = [step() for step in steps]
    times.setdefault(name, []).append((values[-1], cpu(browser) - start))


def main():
    browser = Browser()
    browser.call("Performance.enable", timeDomain="threadTicks")
    url = "file://" + os.path.abspath(sys.argv[1])
    times = {}
    for _ in range(3):
        browser.open("about:blank")
        measure(browser, times, "paint", [lambda: browser.open(url), lambda: browser.run(PAINT)])
    for _ in range(3):
        for name, code in STEPS:
            measure(browser, times, name, [lambda: browser.run(STEP % code)])
    for name, values in times.items():
        print(name, *(round(statistics.median(column)) for column in zip(*values)), sep="\t")
    for tab in ("functions", "calls", "callers"):
        browser.run(TAB % tab)
        if tab != "functions":
            browser.run("document.getElementById('expand').click()")
        longest = []
        for _ in range(3):
            start = cpu(browser)
            frames = browser.run(SCROLL % f".grid.{tab} .body")
            longest.append(max(frames))
        print(f"scroll {tab}", round(statistics.median(frames)), round((cpu(browser) - start) / len(frames), 1), sep="\t")
        print(f"longest {tab}", round(min(longest)), "-", sep="\t")
    browser.close()


main()
