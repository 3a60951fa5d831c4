# SPDX-License-Identifier: BSD-2-Clause
"""plot_merged.py FILE.svg: looks at merged spans of a timeline in a browser."""
import re
import sys

from browser import Browser

PIECES = """(() => {
	const merged = Array.from(document.querySelectorAll('.pieces path')).flatMap(path => Array.from(path.cells.values()));
	const alone = document.querySelectorAll('.pieces rect');
	return {spans: alone.length + merged.reduce((sum, piece) => sum + piece.count, 0), many: merged.length > 1000};
})()"""

# The place of the fullest cell of the first lane. A pixel has many cells.
CELL = """(() => {
	const path = document.querySelector('.pieces path'), step = document.querySelector('.pieces').dataset.step;
	const [cell, piece] = Array.from(path.cells).reduce((most, next) => next[1].time > most[1].time ? next : most);
	const at = new DOMPoint(cell + 0.5, piece.time / step * 50).matrixTransform(path.getScreenCTM());
	return {x: at.x, y: at.y};
})()"""


def main():
    browser = Browser()
    browser.open(sys.argv[1])
    print("errors:", browser.errors())
    print("pieces:", browser.run(PIECES))
    cell = browser.run(CELL)
    browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=cell["x"], y=cell["y"])
    info = browser.run("document.querySelector('.info').textContent")
    print("information:", re.sub(r"[0-9.]+ [nmu]s", "TIME", re.sub("[0-9]+ spans", "N spans", info)))
    browser.click(cell["x"], cell["y"])
    width = browser.run("document.querySelector('svg > .current').getBoundingClientRect().width")
    print("zoomed:", width > 400, browser.run("location.hash") != "")
    browser.key("Escape")
    browser.key("/")
    for letter in "wait":
        browser.key(letter, text=letter)
    browser.key("Enter")
    print("search:", browser.run("document.querySelector('.matched').textContent"))
    print("errors:", browser.errors())
    browser.close()


main()
