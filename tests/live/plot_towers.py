# SPDX-License-Identifier: BSD-2-Clause
"""plot_towers.py URL...: looks at flame graphs in a narrow and in a wide window: their width, marks of deep rows, a click."""
import sys

from browser import Browser

SIZE = "(svg => [+svg.getAttribute('width'), +svg.getAttribute('height')])(document.querySelector('svg'))"
MARKS = """[...document.querySelectorAll('.more>g')].filter(g => g.getBoundingClientRect().height > 0).map(g =>
	g.firstChild.textContent)"""
# The lowest row with frames of most of the width, and the mark or the frame where the mark was, are in the window.
IN_SIGHT = """(boxes => boxes.some(box => box.width > innerWidth * 0.9 && box.top >= 0 && box.bottom <= innerHeight))(
	[...document.querySelectorAll('.frames rect')].map(rect => rect.getBoundingClientRect()))"""


def look(browser, url, width):
    browser.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
    browser.open("about:blank")
    browser.open(url)
    (wide, tall), marks = browser.run(SIZE), browser.run(MARKS)
    right = browser.run("Math.max(...[...document.querySelectorAll('.frames rect')].map(r => r.getBoundingClientRect().right))")
    print(f"{url.rsplit('/', 1)[1]} {width}: wide {wide}, first screen {tall < 900 and abs(right - (wide - 10)) < 1}, marks",
          len(marks), *(f'"{mark}"' for mark in marks))
    if not marks:
        return
    browser.run("document.querySelector('.more>g').dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true}))")
    browser.run("new Promise(done => setTimeout(done, 50))")
    taller = browser.run(SIZE)[1] - tall
    shown = browser.run("document.querySelectorAll('.deep')[88].getBoundingClientRect().height > 0")
    sight = browser.run(IN_SIGHT)
    browser.key("/")
    browser.run("document.querySelector('input').value = 'deep_'; document.querySelector('input').dispatchEvent(new Event('input'))")
    print("  shown:", shown, "taller by", f"{taller}, marks {len(browser.run(MARKS))}, in sight {sight},",
          'found "' + browser.run("document.querySelector('.matched').textContent") + '"')
    print("  errors:", browser.errors())


def main():
    browser = Browser()
    for url in sys.argv[1:]:
        for width in (700, 2000):
            look(browser, url, width)
    browser.close()


main()
