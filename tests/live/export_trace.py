# SPDX-License-Identifier: BSD-2-Clause
"""export_trace.py JSON PACKETS: reads the two forms of a trace that pk-export trace has written, with readers of its own, checks them and
that they have the same content, and prints: "slices CATEGORY NAME COUNT NANOSECONDS", "instants CATEGORY NAME COUNT",
"counts NAME COUNT SUM", "flows COUNT", separated by tabs. Slices of processors have the category "cpu"."""
import json
import sys
from collections import Counter, defaultdict
from decimal import Decimal


def need(condition, text):
    if not condition:
        sys.exit(text)


def unique(pairs):
    need(len(dict(pairs)) == len(pairs), f"a member is repeated: {[p[0] for p in pairs]}")
    return dict(pairs)


def ns(us):
    need(us * 1000 == int(us * 1000), f"{us} us")
    return int(us * 1000)


class Trace:
    def __init__(self):
        self.tracks = {}  # names
        self.slices = []  # (track, category, name, start, end)
        self.instants = []
        self.counts = []
        self.flows = []  # (start, end)

    def check(self, form):
        """Slices of a track are nested."""
        by_track = defaultdict(list)
        for track, _, name, start, end in self.slices:
            need(track in self.tracks, f"{form}: track {track} of {name} has no name")
            by_track[track].append((start, -end))
        for track, slices in by_track.items():
            stack = []
            for start, minus in sorted(slices):
                while stack and stack[-1] <= start:
                    stack.pop()
                need(not stack or -minus <= stack[-1], f"{form}: slices of {self.tracks[track]} overlap at {start}")
                stack.append(-minus)

    def content(self):
        return (Counter((self.category(s), *s[2:]) for s in self.slices), Counter(i[1:] for i in self.instants),
                Counter(self.counts))

    def category(self, item):
        return "cpu" if self.tracks[item[0]].startswith("CPU ") else item[1]

    def print(self):
        counts, times = Counter(), Counter()
        for item in self.slices:
            key = ("slices", self.category(item), item[2])
            counts[key] += 1
            times[key] += item[4] - item[3]
        for key in counts:
            print(*key, counts[key], times[key], sep="\t")
        for key, count in Counter(i[1:3] for i in self.instants).items():
            print("instants", *key, count, sep="\t")
        sums = Counter()
        for name, _, value in self.counts:
            sums[name] += value
        for name, count in Counter(c[0] for c in self.counts).items():
            print("counts", name, count, sums[name], sep="\t")
        print("flows", len(self.flows), sep="\t")


def read_json(path):
    trace = Trace()
    with open(path, encoding="utf-8") as file:
        whole = json.load(file, parse_float=Decimal, object_pairs_hook=unique)
    open_pairs, starts, ends = {}, {}, {}
    for event in whole["traceEvents"]:
        track, phase = (event["pid"], event["tid"]), event["ph"]
        time = ns(event["ts"]) if "ts" in event else None
        if phase == "M":
            trace.tracks[track] = event["args"]["name"]
        elif phase == "X":
            trace.slices.append((track, event["cat"], event["name"], time, time + ns(event["dur"])))
        elif phase == "b":
            open_pairs[event["id"]] = (event["cat"], event["name"], time)
        elif phase == "e":
            # Each one is alone on a track of its own.
            key = ("alone", event["id"])
            trace.tracks[key] = event["name"]
            trace.slices.append((key, *open_pairs.pop(event["id"]), time))
        elif phase == "i":
            trace.instants.append((track, event["cat"], event["name"], time))
        elif phase == "C":
            trace.counts.append((event["name"], time, event["args"]["count"]))
        else:
            need(phase in "sf", f"phase {phase}")
            where = starts if phase == "s" else ends
            need(event["id"] not in where, f"flow {event['id']} is repeated")
            where[event["id"]] = (track, time)
    need(not open_pairs, f"no end: {open_pairs}")
    need(starts.keys() == ends.keys(), "flows without a start or an end")
    # A flow starts in a slice, and ends at the start of one.
    begins = {(s[0], s[3]) for s in trace.slices}
    by_track = defaultdict(list)
    for item in trace.slices:
        by_track[item[0]].append(item[3:])
    for flow, (track, time) in starts.items():
        need(ends[flow] in begins, f"flow {flow} ends in no slice")
        need(any(a <= time <= b for a, b in by_track[track]), f"flow {flow} starts in no slice")
        trace.flows.append((time, ends[flow][1]))
    return trace


def varint(data, at):
    value = shift = 0
    while True:
        need(shift < 70, "long varint")
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at


def message(data):
    """Field number: list of values."""
    fields, at = defaultdict(list), 0
    while at < len(data):
        key, at = varint(data, at)
        kind = key & 7
        if kind == 0:
            value, at = varint(data, at)
        elif kind == 1:
            value, at = int.from_bytes(data[at:at + 8], "little"), at + 8
        else:
            need(kind == 2, f"wire type {kind}")
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
        need(at <= len(data), "cut field")
        fields[key >> 3].append(value)
    return fields


def text(value):
    return value.decode("utf-8")


def read_packets(path):
    trace = Trace()
    with open(path, "rb") as file:
        packets = message(file.read())
    need(set(packets) == {1}, "fields of Trace")
    interned = {1: {}, 2: {}, 3: {}}
    parents, events, counters = {}, [], {}
    for number, data in enumerate(packets[1]):
        packet = message(data)
        need(packet[10] == [1], "no sequence")
        need(packet[13] == [2 if number else 1], f"flags {packet[13]} of packet {number}")
        for data in packet[12]:
            for kind, items in message(data).items():
                for item in map(message, items):
                    need(item[1][0] not in interned[kind], "a number is interned again")
                    interned[kind][item[1][0]] = text(item[2][0])
        for data in packet[60]:
            track = message(data)
            name = track[2] or message(track[3][0])[6] if track[2] or track[3] else message(track[4][0])[5]
            trace.tracks[track[1][0]] = text(name[0])
            if track[8]:
                counters[track[1][0]] = text(name[0])
            for parent in track[5]:
                need(parent in trace.tracks, f"parent {parent} is not described")
                parents[track[1][0]] = parent
        for data in packet[11]:
            event = message(data)
            track, kind = event[11][0], event[9][0]
            need(track in trace.tracks, f"track {track} is not described")
            for annotation in map(message, event[4]):
                need(annotation[1][0] in interned[3], "name of a field")
                need(sum(len(annotation[i]) for i in (3, 4, 6, 7)) == 1, f"values of a field: {annotation}")
            if kind == 4:
                trace.counts.append((counters[track], packet[8][0], event[30][0]))
                continue
            names = (interned[1][event[3][0]], interned[2][event[10][0]]) if kind != 2 else None
            events.append((packet[8][0], track, kind, names, event[47], event[48]))
    # As Perfetto does: sort by time, keep the order of equal times, an end ends the innermost slice.
    stacks, starts, ends = defaultdict(list), {}, {}
    for time, track, kind, names, flows, last in sorted(events, key=lambda event: event[0]):
        starts.update((flow, time) for flow in flows)
        ends.update((flow, time) for flow in last)
        if kind == 1:
            stacks[track].append((track, *names, time))
        elif kind == 2:
            trace.slices.append((*stacks[track].pop(), time))
        else:
            need(kind == 3, f"type {kind}")
            trace.instants.append((track, *names, time))
    need(not any(stacks.values()), "slices without an end")
    trace.flows = [(starts[flow], ends[flow]) for flow in ends]
    return trace


def main():
    first, second = read_json(sys.argv[1]), read_packets(sys.argv[2])
    first.check("JSON")
    second.check("packets")
    for a, b in zip(first.content(), second.content()):
        need(a == b, f"JSON and packets differ: {list((a - b).items())[:3]} {list((b - a).items())[:3]}")
    need(not Counter(first.flows) - Counter(second.flows), "JSON has other flows")
    second.print()


main()
