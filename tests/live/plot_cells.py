# SPDX-License-Identifier: BSD-2-Clause
"""plot_cells.py HEATMAP HISTOGRAM IMAGE [PICTURE...]: looks at pictures of distributions in a browser, and selects columns."""
import sys

from browser import Browser


def text(browser, part):
    return browser.run(f"document.querySelector('{part}').textContent")


def column(browser, number):
    """The middle of a column, in pixels of the window."""
    return browser.run("""(number => {
        const matrix = document.querySelector('.cells').getScreenCTM();
        return {x: matrix.e + (number + 0.5) * matrix.a, y: matrix.f + 20};
    })""" + f"({number})")


def mouse(browser, kind, at):
    browser.call("Input.dispatchMouseEvent", type=kind, x=at["x"], y=at["y"], button="left", clickCount=1)


def drag(browser, first, last):
    mouse(browser, "mousePressed", column(browser, first))
    mouse(browser, "mouseMoved", column(browser, (first + last) // 2))
    mouse(browser, "mouseMoved", column(browser, last))
    mouse(browser, "mouseReleased", column(browser, last))


def tell(browser, what):
    marks = browser.run("[...document.querySelectorAll('.selected')].filter(m => m.style.display !== 'none').length")
    print(f"{what}: {text(browser, '.info')!r} {browser.run('location.hash')!r} {marks} marks")


def look(browser, url):
    browser.open(url)
    print("errors:", browser.errors())
    print("first cell:", text(browser, ".cells rect title"))
    print("headings:", browser.run("[...document.querySelectorAll('.heading')].map(h => h.textContent).join('; ')"))
    drag(browser, 2, 4)
    tell(browser, "dragged")
    print("command:", text(browser, ".command"))
    drag(browser, 4, 2)
    tell(browser, "dragged back")
    browser.key("ArrowRight")
    tell(browser, "right")
    browser.key("ArrowRight", modifiers=8)
    tell(browser, "and the next")
    browser.key("ArrowLeft")
    tell(browser, "left")
    browser.key("Escape")
    tell(browser, "none")
    browser.key("ArrowLeft")
    tell(browser, "the last")
    for part in ("#from=1&to=3", "#from=3&to=1", "#from=-1&to=x", "#from=0&to=99999"):
        browser.open("about:blank")
        browser.open(url + part)
        tell(browser, part)
    zoom(browser, url)
    print("errors:", browser.errors())


def shown(browser):
    """The visible part: the columns at its ends; labels; and texts that overlap."""
    ends = browser.run("""(() => {
        const cells = document.querySelector('.cells'), clip = document.querySelector('#pk-inside rect');
        const of = at => (at - cells.transform.baseVal.getItem(0).matrix.e) / cells.transform.baseVal.getItem(1).matrix.a;
        const x = +clip.getAttribute('x');
        return of(x).toFixed(2) + ' to ' + of(x + +clip.getAttribute('width')).toFixed(2);
    })()""")
    labels = browser.run("""[...document.querySelectorAll('.axis')].filter(a => a.dataset.all || a.matches('.numbers'))
        .map(a => [...a.querySelectorAll('text')].map(t => t.textContent).join(' ')).join(' | ')""")
    return f"{ends}; {labels}; {browser.run(OVERLAPS)} {browser.run('location.hash')!r}"


def write(browser, word):
    for letter in word:
        browser.key(letter, text=letter)


def zoom(browser, url):
    browser.open("about:blank")
    browser.open(url)
    drag(browser, 2, 5)
    mouse(browser, "mousePressed", column(browser, 4))
    mouse(browser, "mouseReleased", column(browser, 4))
    print("zoomed by a click:", shown(browser))
    drag(browser, 3, 4)
    tell(browser, "selected there")
    address = browser.run("location.href")
    browser.key("Escape")
    tell(browser, "ended")
    browser.key("Escape")
    print("reset:", shown(browser))
    browser.open("about:blank")
    browser.open(address)
    tell(browser, "restored")
    print("  ", shown(browser))
    browser.key("Escape")
    browser.key("ArrowLeft")
    print("the last is in sight:", shown(browser))
    browser.key("0")
    browser.key("Enter")
    print("zoomed by a key:", shown(browser))
    browser.run("document.querySelector('.button').dispatchEvent(new Event('click'))")
    print("reset by the button:", shown(browser))
    browser.key("Escape")
    browser.call("Input.dispatchMouseEvent", type="mouseWheel", x=column(browser, 3)["x"], y=column(browser, 3)["y"],
                 deltaX=0, deltaY=-100)
    browser.run("new Promise(done => setTimeout(done, 500))")
    print("zoomed by the wheel:", shown(browser))
    browser.key("0")
    browser.key("f", modifiers=2)
    write(browser, "tid=2,.*512-|^samples.*512")
    browser.key("Enter")
    print("search:", text(browser, ".matched"), browser.run("document.querySelectorAll('.found').length"),
          browser.run("location.hash"), browser.run(OVERLAPS))
    browser.key("Escape")
    print("search ended:", repr(text(browser, ".matched")), browser.run("document.querySelectorAll('.found').length"))


def look_without_script(browser, picture, page):
    browser.open(page)
    print("image:", browser.run("document.images[0].naturalWidth"))
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    browser.open(picture)
    browser.call("Emulation.setScriptExecutionDisabled", value=False)
    print("without scripts:", browser.run("document.querySelectorAll('.cells rect').length"), "cells,",
          browser.run("document.querySelectorAll('.axis text').length"), "labels,",
          browser.run("document.querySelectorAll('.selected').length"), "marks")


# Pairs of texts that overlap, and texts outside of the picture.
OVERLAPS = """(() => {
    const boxes = [...document.querySelectorAll('svg.pk text')].filter(t => t.textContent)
        .map(t => ({t, b: t.getBoundingClientRect()}));
    const all = document.querySelector('svg.pk').getBoundingClientRect(), found = [];
    boxes.forEach((x, i) => {
        if (x.b.left < all.left - 0.5 || x.b.right > all.right + 0.5)
            found.push('outside: ' + x.t.textContent);
        for (const y of boxes.slice(i + 1))
            if (x.b.left < y.b.right && y.b.left < x.b.right && x.b.top + 2 < y.b.bottom && y.b.top + 2 < x.b.bottom)
                found.push(x.t.textContent + ' / ' + y.t.textContent);
    });
    return found;
})()"""


def main():
    browser = Browser()
    for url in sys.argv[1:3]:
        print(url.rsplit("/", 1)[1])
        look(browser, url)
        browser.open(url)
        print("overlapping texts:", browser.run(OVERLAPS))
    look_without_script(browser, sys.argv[1], sys.argv[3])
    for url in sys.argv[4:]:
        browser.open(url)
        print(url.rsplit("/", 1)[1], "errors:", browser.errors(), "overlapping texts:", browser.run(OVERLAPS))
    browser.close()


main()
