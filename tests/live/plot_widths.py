# SPDX-License-Identifier: BSD-2-Clause
"""plot_widths.py URL...: opens pictures in windows of three widths. Each picture has the width of its window, and no text is
outside of it."""
import os
import sys

from browser import Browser

OUTSIDE = """[...document.querySelectorAll('svg text')].filter(text => {
	const box = text.getBoundingClientRect();
	return box.width && (box.left < -1 || box.right > innerWidth + 1);
}).map(text => text.textContent)"""


def main():
    browser = Browser()
    for url in sys.argv[1:]:
        for width in (400, 1200, 3000):
            browser.call("Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1, mobile=False)
            browser.open("about:blank")
            browser.open(url)
            browser.run("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
            print(os.path.basename(url), round(browser.run("document.documentElement.getBoundingClientRect().width")),
                  browser.run(OUTSIDE), browser.errors())
    browser.close()


main()
