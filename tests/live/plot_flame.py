# SPDX-License-Identifier: BSD-2-Clause
"""plot_flame.py FILE.svg FILE.html: looks at flame graphs in a browser, clicks and types."""
import re
import sys

from browser import Browser

FRAME = """(name => {
	for (const g of document.querySelectorAll('.frames g g'))
		if (g.firstChild.textContent.startsWith(name + ' (')) {
			const box = g.children[1].getBoundingClientRect();
			return {x: box.x, y: box.y, width: box.width, title: g.firstChild.textContent,
				shown: g.style.display !== 'none',
				label: g.children[2] ? g.children[2].textContent : '',
				found: g.classList.contains('found')};
		}
	return null;
})"""


def frame(browser, name):
    return browser.run(FRAME + f"({name!r})")


def text(browser, part):
    return browser.run(f"document.querySelector('{part}').textContent")


def write(browser, word):
    for letter in word:
        browser.key(letter, text=letter)


def look(browser, url):
    browser.open(url)
    print("errors:", browser.errors())
    work = frame(browser, "work")
    print("work:", work["title"], round(work["width"]))
    browser.click(work["x"] + 5, work["y"] + 5)
    work = frame(browser, "work")
    print("zoomed:", round(work["x"]), round(work["width"]), browser.run("location.hash"))
    print("write is shown:", frame(browser, "write")["shown"], "main:", round(frame(browser, "main")["width"]))
    print("information:", text(browser, ".info"))
    browser.key("Escape")
    print("reset:", round(frame(browser, "work")["width"]), repr(browser.run("location.hash")))
    browser.key("f", modifiers=2)
    write(browser, "wr|^other$")
    print("search:", text(browser, ".matched"), frame(browser, "vfs_write")["found"],
          frame(browser, "main")["found"])
    write(browser, "(")
    print("wrong expression:", text(browser, ".matched"))
    browser.key("Backspace")
    browser.run("document.querySelector('input').value = 'wr|^other$'")
    browser.run("document.querySelector('input').dispatchEvent(new Event('input'))")
    browser.key("Enter")
    address = browser.run("location.hash")
    print("address:", address)
    browser.key("Escape")
    print("ended:", repr(text(browser, ".matched")), repr(browser.run("location.hash")))
    browser.open("about:blank")
    browser.open(url + "#x=0.1&w=0.5&r=2&s=vfs")
    print("restored:", text(browser, ".matched"), round(frame(browser, "main")["width"]))
    browser.key("Escape")
    browser.key("0")
    up, down = ("ArrowDown", "ArrowUp") if "icicle" in url else ("ArrowUp", "ArrowDown")
    for key in (up, up, "ArrowRight", up, up, "ArrowRight", down, "ArrowLeft"):
        browser.key(key)
        print("  selected:", re.sub(r" \(.*", "", text(browser, ".info")))
    browser.key("Enter")
    print("zoomed:", round(frame(browser, "other")["width"]))
    work = frame(browser, "other")
    browser.call("Input.dispatchMouseEvent", type="mouseWheel", x=work["x"] + 600, y=work["y"] + 5,
                 deltaX=0, deltaY=100)
    browser.run("new Promise(done => setTimeout(done, 50))")
    print("wheel makes it smaller:", frame(browser, "other")["width"] < work["width"])
    print("errors:", browser.errors())


def look_without_script(browser, url):
    browser.open(url)
    print("image:", browser.run("document.images[0].naturalWidth"))
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    browser.open(sys.argv[1])
    browser.call("Emulation.setScriptExecutionDisabled", value=False)
    print("without scripts:", browser.run("document.querySelectorAll('.frames rect').length"), "boxes,",
          browser.run("document.querySelectorAll('.button').length"), "buttons")


def main():
    browser = Browser()
    for url in sys.argv[1:3]:
        print(url.rsplit("/", 1)[1])
        look(browser, url)
    look_without_script(browser, sys.argv[3])
    browser.close()


main()
