# SPDX-License-Identifier: BSD-2-Clause
"""plot_references.py FOLDER SVG...: compares pictures of each file, light and dark, with those in FOLDER; checks the
contrast of texts and the size of print. With PK_NEW_REFERENCES=1 writes the pictures to FOLDER."""
import base64
import os
import re
import sys

from browser import Browser

WIDTH, HEIGHT = 1200, 800
SCALE = 0.25
# Per pixel, all differences of colors together, 0 to 255: fonts differ between machines.
MEAN_MOST = 6
FAR, FAR_MOST = 96, 0.03

CONTRAST = r"""(() => {
    const rgb = colour => { const n = colour.match(/[\d.]+/g); return n ? n.slice(0, 3).map(Number) : null; };
    const light = c => c.map(v => v / 255).map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
        .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
    const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const svg = document.querySelector("svg");
    const page = rgb(getComputedStyle(svg.querySelector(".background")).fill);
    let worst = 99, where = "";
    for (const text of svg.querySelectorAll("text")) {
        if (!text.textContent.trim() || !text.getClientRects().length)
            continue;
        const colour = rgb(getComputedStyle(text).fill);
        const box = text.getBoundingClientRect();
        let behind = page;
        for (const rect of text.parentNode.querySelectorAll(":scope > rect, :scope > a > rect")) {
            const r = rect.getBoundingClientRect(), fill = rgb(getComputedStyle(rect).fill);
            if (fill && r.left <= box.left + 1 && r.right >= box.left + 1 && r.top <= box.top + box.height / 2 &&
                r.bottom >= box.top + box.height / 2)
                behind = fill;
        }
        const found = ratio(light(colour), light(behind));
        if (found < worst)
            [worst, where] = [found, text.textContent];
    }
    return [worst, where];
})()"""

COMPARE = """(async () => {
    const load = async data => {
        const image = new Image();
        image.src = "data:image/png;base64," + data;
        await image.decode();
        const canvas = new OffscreenCanvas(image.width, image.height), context = canvas.getContext("2d");
        context.drawImage(image, 0, 0);
        return context.getImageData(0, 0, image.width, image.height);
    };
    const a = await load("%s"), b = await load("%s");
    if (a.width != b.width || a.height != b.height)
        return [255, 1];
    let sum = 0, far = 0;
    for (let i = 0; i < a.data.length; i += 4) {
        const d = Math.max(...[0, 1, 2].map(k => Math.abs(a.data[i + k] - b.data[i + k])));
        sum += d;
        far += d > %d;
    }
    return [sum / (a.data.length / 4), far / (a.data.length / 4)];
})()"""


def picture(browser):
    clip = {"x": 0, "y": 0, "width": WIDTH, "height": HEIGHT, "scale": SCALE}
    return browser.call("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)["data"]


def main():
    folder, files = sys.argv[1], sys.argv[2:]
    browser = Browser()
    bad = 0
    for url in files:
        name = re.sub(r".*/|\.svg$", "", url)
        for scheme in ("light", "dark"):
            browser.call("Emulation.setEmulatedMedia",
                         features=[{"name": "prefers-color-scheme", "value": scheme}])
            browser.open(url)
            problems = browser.errors()
            worst, text = browser.run(CONTRAST)
            if worst < 4.5:
                problems.append(f"contrast {worst:.2f}: {text}")
            now = picture(browser)
            path = os.path.join(folder, f"{name}-{scheme}.png")
            if os.environ.get("PK_NEW_REFERENCES"):
                with open(path, "wb") as file:
                    file.write(base64.b64decode(now))
            with open(path, "rb") as file:
                kept = base64.b64encode(file.read()).decode()
            browser.open("about:blank")
            mean, far = browser.run(COMPARE % (kept, now, FAR))
            if mean > MEAN_MOST or far > FAR_MOST:
                problems.append(f"unlike {path}: by {mean:.1f} of 255, {far:.1%} of the pixels far")
                with open(f"{name}-{scheme}.png", "wb") as file:
                    file.write(base64.b64decode(now))
            if scheme == "light":
                browser.open(url)
                pdf = base64.b64decode(browser.call("Page.printToPDF", landscape=True)["data"])
                pages = len(re.findall(rb"/Type\s*/Page\b", pdf))
                if pages != 1:
                    problems.append(f"printed on {pages} pages")
            for problem in problems:
                print(f"{name}, {scheme}: {problem}")
                bad = 1
    browser.close()
    print(f"{len(files)} pictures")
    return bad


sys.exit(main())
