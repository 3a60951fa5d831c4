# SPDX-License-Identifier: BSD-2-Clause
"""The numbers of pages (pk-plot page): reads the data of a page, and what pk-report and pk-fold print of the
same samples. A selection is a dict: event (its name, or WALL), pid, tid, cpu, and slots (first, end), or None."""
import base64
import csv
import json
import random
import re
import subprocess
import zlib

# The sum of two events that a page adds.
WALL, WALL_EVENTS = "on and off CPU", ("cpu-clock", "offcpu-time")


def events_of(selection):
    return WALL_EVENTS if selection["event"] == WALL else (selection["event"],)


class Page:
    def __init__(self, path):
        text = open(path, encoding="utf-8").read()
        packed = re.search(r'id="data">([A-Za-z0-9+/=]*)<', text).group(1)
        self.bytes = zlib.decompress(base64.b64decode(packed), -15)
        size = int.from_bytes(self.bytes[:4], "little")
        self.head = json.loads(self.bytes[4:4 + size])
        self.at = 4 + size
        head = self.head
        nodes, sums = head["nodes"], head["sums"]
        values = head["rows"]
        self.rows = [values[i:i + 5] for i in range(0, len(values), 5)]
        self.parents, self.frames = [0], [-1]
        for i in range(1, nodes):
            at = i - 1
            for _ in range(self.number()):
                at = self.parents[at]
            self.parents.append(at)
        called = {}
        for i in range(1, nodes):
            known, list_ = self.number(), called.setdefault(self.frames[self.parents[i]], [])
            if not known:
                list_.append(self.number())
            self.frames.append(list_[known - 1])
        self.stacks, last = [], 0
        for _ in range(head["stacks"]):
            last = (last + self.number()) % nodes
            self.stacks.append(last)
        # For each stack, the row of code of the sampled instruction.
        self.stack_rows = [self.number() for _ in range(head["stacks"])] if head["code_rows"] else []
        rows = [row for row in range(len(self.rows)) for _ in range(self.number())]
        assert len(rows) == sums
        first = [i == 0 or rows[i] != rows[i - 1] for i in range(sums)]
        slots = []
        for i in range(sums):
            slot = int(head["slot"]) if first[i] else slots[-1]
            difference = self.number()
            slots.append(None if slot is None or difference == 1 << 32 else slot + difference)
        stacks = []
        for i in range(sums):
            value = self.number()
            if not first[i] and slots[i] == slots[i - 1]:
                stacks.append(stacks[-1] + value + 1)
            else:
                stacks.append(value - 1 if value else stacks[-1])
        # For each sum, the row of code.
        self.sum_rows = [self.stack_rows[stack] for stack in stacks] if self.stack_rows else []
        stacks = [self.stacks[stack] for stack in stacks]
        samples = [self.number() for _ in range(sums)]
        weights, each = [], {}
        for i in range(sums):
            code, event = self.number(), self.rows[rows[i]][0]
            weights.append(code - 1 if code else each[event] * samples[i])
            each[event] = weights[-1] // samples[i] if code else each[event]
        self.sums = list(zip(slots, rows, stacks, samples, weights))
        # Of the recording to compare with: event, stack, samples, weight.
        self.base = [[self.number() for _ in range(4)] for _ in range(head["base_sums"])]
        # Spans: row, start, length, name, number, time.
        self.marks, row, start = [], -1, 0
        for _ in range(head["marks"]):
            step, number, length, name, count = (self.number() for _ in range(5))
            row, start = row + step, number + (int(head["marks_start"]) if step else start)
            self.marks.append((row, start, length, head["mark_names"][name - 1], count, self.number() if count > 1 else length))
        # For each event, what has changed of the function of each frame.
        self.changes = [[self.number() for _ in range(len(head["frames"]) // 3)] for _ in head["events"]] if head["base"] else []
        assert self.at == len(self.bytes), "bytes are left"

    def number(self):
        value, shift = 0, 0
        while True:
            byte = self.bytes[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def function(self, node):
        """The name and object of a node."""
        name, object_, flags = self.head["frames"][3 * self.frames[node]:3 * self.frames[node] + 3]
        strings = self.head["strings"]
        return (strings[name - 1] if name else "", strings[object_ - 1] if object_ else "", bool(flags & 384))

    def times(self):
        """The slots of all sums that have a time: the first, and the end."""
        slots = [s[0] for s in self.sums if s[0] is not None]
        return (min(slots), max(slots) + 1) if slots else None

    def select(self, selection):
        for slot, row, stack, samples, weight in self.sums:
            event, pid, tid, _, cpu = self.rows[row]
            slots = selection["slots"]
            if self.head["events"][event - 1][0] in events_of(selection) and \
                    selection["pid"] in (None, pid) and selection["tid"] in (None, tid) and \
                    selection["cpu"] in (None, cpu) and \
                    (not slots or slot is not None and slots[0] <= slot < slots[1]):
                yield row, stack, samples, weight

    def functions(self, selection):
        """{(label, object): [total, self, samples]}, and the sum of all weights."""
        table, all_ = {}, 0
        for _, stack, samples, weight in self.select(selection):
            names, node = set(), stack
            leaf = self.function(stack) if stack else ("[no stack]", "", False)
            while node:
                names.add(self.function(node))
                node = self.parents[node]
            all_ += weight
            for name in {n for n in names if not n[2]} | {leaf}:
                item = table.setdefault((label(*name[:2]), name[1]), [0, 0, 0])
                item[0] += weight
            item = table[(label(*leaf[:2]), leaf[1])]
            item[1] += weight
            item[2] += samples
        return table, all_

    def threads(self, selection):
        table, all_ = {}, 0
        for row, _, samples, weight in self.select(selection):
            _, pid, tid, comm, _ = self.rows[row]
            item = table.setdefault((text(pid), text(tid), plain(comm or "")), [0, 0])
            item[0] += weight
            item[1] += samples
            all_ += weight
        return table, all_

    def selections(self, seed, count):
        """All samples of each event, and random selections."""
        chance, head = random.Random(seed), self.head
        names = [name for name, _ in head["events"]]
        wall = set(WALL_EVENTS) <= set(names)
        for name in names + [WALL] * wall:
            yield {"event": name, "pid": None, "tid": None, "cpu": None, "slots": None}
        for _ in range(count):
            slot, row, *_ = chance.choice(self.sums)
            event, pid, tid, _, cpu = self.rows[row]
            selection = {"event": WALL if wall and chance.random() < 0.5 else names[event - 1], "slots": None}
            for name, value in (("pid", pid), ("tid", tid), ("cpu", cpu)):
                selection[name] = value if chance.random() < 0.4 else None
            if slot is not None and chance.random() < 0.7:
                first, end = self.times()
                a, b = sorted((chance.randint(first, end), chance.choice((slot, slot + 1))))
                selection["slots"] = (a, max(b, a + 1))
            yield selection


def text(number):
    return "" if number is None else str(number)


def plain(text):
    """Harmful characters become ?: one for each character, or one for each byte."""
    text = "".join("?" if 0xDC80 <= ord(c) < 0xDD00 else c for c in text)
    return re.sub(r"\?+", "?", text.removeprefix("'"))


def label(name, object_):
    name = plain(name)
    if name in ("[no stack]", "[no function]", "[callers are missing]"):
        name = ""
    return name or ("[" + plain(re.sub(r".*/", "", object_)) + "]" if object_ else "[unknown]")


def conditions(page, selection):
    parts = [f"{name} == {selection[name]}" for name in ("pid", "tid", "cpu") if selection[name] is not None]
    if selection["slots"]:
        start, end = (slot << page.head["shift"] for slot in selection["slots"])
        parts.append(f"time >= {start} && time < {end}")
    events = events_of(selection)
    if len(events) > 1:
        parts.append("(" + " || ".join(f'event == "{name}"' for name in events) + ")")
    return ["--event=" + events[0]] * (len(events) == 1) + (["--where=" + " && ".join(parts)] if parts else [])


def run(*command):
    done = subprocess.run(command, capture_output=True)
    return done.stdout.decode("utf-8", "surrogateescape")


def report(page, selection, recording, by, show):
    """Lines of pk-report: dicts by the columns' names."""
    lines = run("pk-report", "--csv", "--merge-events", "--no-cache", "--by", by, "--show", show, *conditions(page, selection), recording)
    return list(csv.DictReader(lines.splitlines()))


def report_functions(page, selection, recording):
    """{(label, object): [total in percent, self in percent, samples]}"""
    table = {}
    for line in report(page, selection, recording, "symbol,dso", "children,share,samples"):
        object_ = plain(line["dso"])
        item = table.setdefault((label(line["symbol"], object_), object_), [0, 0, 0])
        for i, name in enumerate(("children", "share", "samples")):
            item[i] += float(line[name])
    return table


def report_threads(page, selection, recording):
    table = {}
    for line in report(page, selection, recording, "pid,tid,comm", "share,samples"):
        item = table.setdefault((line["pid"], line["tid"], plain(line["comm"])), [0, 0])
        item[0] += float(line["share"])
        item[1] += float(line["samples"])
    return table


def folded(page, selection, recording, *options):
    """{path of names, the root first: weight}"""
    # pk-fold does not add up events.
    text = "".join(run("pk-fold", "-q", "--no-cache", "--by", "none", "--full-names", *options,
                       *conditions(page, {**selection, "event": event}), recording) for event in events_of(selection))
    return read_folded(text)


def read_folded(text):
    stacks = {}
    for line in text.splitlines():
        path, _, weight = line.rpartition(" ")
        path = tuple(label(name, "") for name in path.split(";")) if path else ()
        path = () if path == ("[unknown]",) and "[no stack]" in line else path
        stacks[path] = stacks.get(path, 0) + int(weight)
    return stacks


def shares(table, all_, count):
    """A table with the first `count` numbers as percentages."""
    return {key: [100 * n / all_ if i < count and all_ else n for i, n in enumerate(item)]
            for key, item in table.items()}


def differences(ours, theirs):
    """Keys whose numbers differ, with both. Percentages are equal to 10 digits."""
    found = []
    for key in ours.keys() | theirs.keys():
        a, b = ours.get(key), theirs.get(key)
        if not a or not b or any(abs(x - y) > 1e-10 * max(abs(x), abs(y), 1) for x, y in zip(a, b)):
            if any(a or []) or any(b or []):
                found.append((key, a, b))
    return found
