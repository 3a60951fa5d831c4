# SPDX-License-Identifier: BSD-2-Clause
"""plot_lines.py KIND FILE.svg FILE.html IMAGE.html: looks at pictures over time in a browser, clicks and types."""
import sys

from browser import Browser

# The boxes of a picture, by the start of their tooltip.
BOX = {
    "chart": """(name => {
	for (const g of document.querySelectorAll('.frames g g'))
		if (g.firstChild.textContent.startsWith(name)) {
			const box = g.children[1].getBoundingClientRect();
			return {x: box.x, y: box.y, width: box.width, title: g.firstChild.textContent,
				found: g.classList.contains('found'), shown: g.style.display !== 'none'};
		}
})""",
    "timeline": """(name => {
	for (const g of document.querySelectorAll('.pieces .row g'))
		if (g.querySelector('title') && g.querySelector('title').textContent.includes(name)) {
			const rect = g.querySelector('rect'), box = rect.getBoundingClientRect();
			return {x: box.x, y: box.y, width: box.width, title: g.querySelector('title').textContent,
				found: g.classList.contains('found'), shown: rect.style.display !== 'none'};
		}
})""",
}
NAMES = {"chart": ("outer", "inner", "open"), "timeline": ("run", "delay", "sleep")}


class Look:
    def __init__(self, browser, kind, url):
        self.browser, self.kind, self.url = browser, kind, url

    def box(self, name):
        return self.browser.run(BOX[self.kind] + f"({name!r})")

    def text(self, part):
        return self.browser.run(f"document.querySelector('{part}').textContent")

    def axis(self):
        return self.browser.run("Array.from(document.querySelectorAll('.axis text')).map(t => t.textContent).join(' ')")

    def overlaps(self):
        """The number of pairs of texts that overlap, of those that are in sight."""
        return self.browser.run("""(() => {
			const boxes = Array.from(document.querySelectorAll('svg text')).filter(t => t.textContent)
				.map(t => t.getBoundingClientRect()).filter(b => b.width > 0);
			let count = 0;
			boxes.forEach((a, i) => boxes.slice(i + 1).forEach(b => {
				if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 3 && b.top < a.bottom - 3)
					count++;
			}));
			return count; })()""")

    def write(self, word):
        for letter in word:
            self.browser.key(letter, text=letter)

    def zoom(self):
        first, second, _ = NAMES[self.kind]
        box = self.box(second)
        print(second + ":", box["title"].strip(), round(box["width"]))
        self.browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=box["x"] + box["width"] / 2, y=box["y"] + 5)
        print("information:", self.text(".info"))
        print("tooltip:", self.box(second)["title"])
        self.browser.click(box["x"] + box["width"] / 2, box["y"] + 5)
        print("zoomed:", round(self.box(second)["width"]), self.browser.run("location.hash"), self.axis())
        print("overlapping texts:", self.overlaps())
        self.browser.key("Escape")
        print("reset:", round(self.box(second)["width"]), repr(self.browser.run("location.hash")))

    def search(self):
        _, second, third = NAMES[self.kind]
        self.browser.key("/")
        self.write(second)
        self.browser.key("Enter")
        print("search:", self.text(".matched"), self.box(second)["found"], self.box(third)["found"],
              self.browser.run("location.hash"))
        self.browser.key("Escape")
        print("ended:", repr(self.text(".matched")))
        self.browser.open("about:blank")
        self.browser.open(self.url + "#x=0.25&w=0.5&s=" + third)
        print("restored:", self.text(".matched"), self.axis())
        self.browser.key("Escape")
        self.browser.key("0")

    def keys(self):
        for key in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowUp", "ArrowLeft"):
            self.browser.key(key)
            print("  selected:", self.text(".info"))
        self.browser.key("Enter")
        print("zoomed:", self.axis())
        self.browser.key("0")
        before = self.axis()
        self.browser.call("Input.dispatchMouseEvent", type="mouseWheel", x=600, y=100, deltaX=0, deltaY=-100)
        self.browser.run("new Promise(done => setTimeout(done, 50))")
        print("wheel zooms:", self.axis() != before, self.browser.run("location.hash") == "")

    def all(self):
        self.browser.open(self.url)
        print("errors:", self.browser.errors())
        print("axis:", self.axis())
        print("overlapping texts:", self.overlaps())
        self.zoom()
        self.search()
        self.keys()
        print("errors:", self.browser.errors())


def look_without_script(browser, picture, image):
    browser.open(image)
    print("image:", browser.run("document.images[0].naturalWidth"))
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    browser.open(picture)
    browser.call("Emulation.setScriptExecutionDisabled", value=False)
    print("without scripts:", browser.run("document.querySelectorAll('rect[x]').length"), "boxes,",
          browser.run("document.querySelectorAll('.button').length"), "buttons")


def main():
    browser = Browser()
    for url in sys.argv[2:4]:
        print(url.rsplit("/", 1)[1])
        Look(browser, sys.argv[1], url).all()
    look_without_script(browser, sys.argv[2], sys.argv[4])
    browser.close()


main()
