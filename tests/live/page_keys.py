# SPDX-License-Identifier: BSD-2-Clause
"""page_keys.py HOSTILE.html PAGE.html PROCESSES.html: names with markup, lanes of processes, then keys, menus, links and undo."""
import sys

from browser import Browser
from page_tables import READY


def text(browser, id_):
    return browser.run(f"document.getElementById('{id_}').textContent")


def press(browser, *keys, modifiers=0):
    for key in keys:
        browser.key(key, modifiers=modifiers)


def focus(browser, selector):
    browser.run(f"document.querySelector('{selector}').focus()")


def state(browser):
    return browser.run("decodeURIComponent(location.hash)")


def rows(browser, tab, count):
    return browser.run(f"""[...document.querySelectorAll('#panel-{tab} .space .row')].slice(0, {count}).map(row =>
        [...row.children].map(cell => cell.textContent).join(' | '))""")


def tree(browser):
    """What screen readers get: nodes by role, and those that can have the focus without a name."""
    roles, unnamed = {}, []
    for node in browser.call("Accessibility.getFullAXTree")["nodes"]:
        role = node.get("role", {}).get("value")
        if node.get("ignored"):
            continue
        roles[role] = roles.get(role, 0) + 1
        if any(p["name"] == "focusable" and p["value"].get("value") for p in node.get("properties", [])) and \
                not node.get("name", {}).get("value") and role != "RootWebArea":
            unnamed.append(role)
    return [f"{role} {roles.get(role, 0)}" for role in ("tablist", "tab", "tabpanel", "slider", "searchbox", "heading")], \
        "unnamed:", unnamed


def hostile(browser, url):
    browser.open(url + "#tab=threads&search=<script>hacked=1</script>&theme=%22><b>&changes=[[%22__proto__%22,1,2]]")
    print(browser.run(READY), "hacked:", browser.run("typeof hacked"), browser.errors())
    print("title:", text(browser, "title"), "/", browser.run("document.title"))
    print("elements:", browser.run("document.querySelectorAll('script, img, b').length"))
    print([row if len(row) < 200 else row[:60] + f" ... {len(row)}" for row in rows(browser, "threads", 9)])


def keys(browser, url):
    browser.open("about:blank")
    browser.open(url)
    browser.run(READY)
    focus(browser, "#timeline")
    press(browser, "+")
    press(browser, "ArrowRight")
    print("range:", text(browser, "range"), state(browser))
    print("sums:", text(browser, "sums"))
    press(browser, "z", modifiers=2)
    print("undo:", text(browser, "range"))
    press(browser, "Escape")
    print("all:", text(browser, "range"))
    focus(browser, "#tab-flame")
    press(browser, "ArrowRight", "ArrowRight", "ArrowRight")
    print("tab:", state(browser), browser.run("document.activeElement.id"))
    print(rows(browser, "functions", 3))
    focus(browser, ".grid.functions")
    press(browser, "ArrowDown", "m")
    print("menu:", browser.run("[...document.querySelectorAll('#menu > *')].map(item => item.textContent)"))
    press(browser, "ArrowDown")
    browser.run("document.activeElement.click()")
    print("changed:", state(browser), text(browser, "changes"))
    print("sums:", text(browser, "sums"))
    browser.run("history.back(); new Promise(done => setTimeout(done, 100))")
    print("back:", state(browser), text(browser, "sums"))
    focus(browser, "#search")
    browser.run("document.getElementById('search').value = 'vfs_(read|write)$'")
    browser.run("document.getElementById('search').dispatchEvent(new Event('input'))")
    print("search:", text(browser, "found"), rows(browser, "functions", 9))
    browser.run("document.getElementById('tab-flame').click()")
    focus(browser, "#flame")
    press(browser, "ArrowDown", "ArrowDown", "ArrowDown", "Enter")
    print("zoom:", state(browser), "/", text(browser, "frame"))
    print("roles:", browser.run("""['tablist', 'tab', 'tabpanel', 'grid', 'treegrid', 'slider', 'status'].map(role =>
        role + ' ' + document.querySelectorAll(`[role=${role}]`).length).join(', ')"""))
    print("unnamed:", browser.run("""[...document.querySelectorAll('button, select, input, canvas')].filter(item =>
        !item.textContent && !item.getAttribute('aria-label') && !item.closest('label')).map(item => item.id)"""))
    print("tree:", tree(browser))
    address = browser.run("location.href")
    before = text(browser, "frame")
    browser.open("about:blank")
    browser.open(address)
    browser.run(READY)
    print("the same from the link:", state(browser) == browser.run("decodeURIComponent(" + repr(address) + ".replace(/^[^#]*/, ''))"),
          text(browser, "found"), before != "")
    print("errors:", browser.errors())


def processes(browser, url):
    browser.open(url)
    browser.run(READY)
    x, y = browser.run("(box => [box.x, box.y])(document.getElementById('timeline').getBoundingClientRect())")
    for line in (0, 1, None, 4):  # None: all threads; there are two processes with two threads each
        browser.click(x + 30, y + (10 if line is None else 70 + 16 * line))
        print("lane", line, state(browser), text(browser, "sums"))


browser = Browser()
hostile(browser, sys.argv[1])
processes(browser, sys.argv[3])
keys(browser, sys.argv[2])
browser.close()
