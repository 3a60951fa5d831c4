# SPDX-License-Identifier: BSD-2-Clause
"""export_speedscope_page.py PAGE FILE [PICTURE]: opens FILE in speedscope's page, and prints "PROFILE FUNCTION SELF TOTAL" of the tree that its
left-heavy view draws, separated by tabs. PICTURE: a screenshot of that view."""
import base64
import json
import os
import sys
import time

from browser import Browser

# Keeps each object of the page that gets the tree of the left-heavy view: the profiles.
KEEP = """
window.profiles = [];
Object.defineProperty(Object.prototype, "groupedCalltreeRoot", {
    configurable: true,
    set(root) {
        Object.defineProperty(this, "groupedCalltreeRoot", {value: root, writable: true, configurable: true, enumerable: true});
        window.profiles.push(this);
    },
});
"""

READ = """window.profiles.filter(profile => profile.getTotalWeight() > 0).map(profile => {
    const self = {}, total = {}, open = new Set();
    const walk = node => {
        const name = node.frame.name, inner = open.has(name);
        self[name] = (self[name] || 0) + node.getSelfWeight();
        if (!inner)
            total[name] = (total[name] || 0) + node.getTotalWeight();
        open.add(name);
        node.children.forEach(walk);
        if (!inner)
            open.delete(name);
    };
    profile.getGroupedCalltreeRoot().children.forEach(walk);
    return [profile.getName(), Object.keys(total).map(name => [name, self[name], total[name]])];
})"""

page, path = sys.argv[1:3]
script = os.path.join(os.getcwd(), "load.js")
with open(path, "rb") as file, open(script, "w") as load:
    content = base64.b64encode(file.read()).decode()
    load.write(f"speedscope.loadFileFromBase64({json.dumps(os.path.basename(path))}, '{content}')")
browser = Browser()
browser.call("Page.addScriptToEvaluateOnNewDocument", source=KEEP)
browser.open(f"file://{page}#localProfilePath={script.lstrip('/')}")
end = time.monotonic() + 30
while "Left Heavy" not in browser.run("document.body.innerText"):
    if time.monotonic() > end:
        sys.exit("speedscope does not show the profile: " + " ".join(browser.errors()))
    time.sleep(0.05)
browser.key("2", text="2")
for name, functions in browser.run(READ):
    for function, own, total in functions:
        print(name, function, round(own), round(total), sep="\t")
errors = browser.errors()
if len(sys.argv) > 3:
    time.sleep(1)
    browser.shot(sys.argv[3])
browser.close()
if errors:
    sys.exit(" ".join(errors))
