# SPDX-License-Identifier: BSD-2-Clause
"""export_firefox.py FILE EVENT: reads a profile that pk-export firefox has written, checks that each index is in its table,
and prints for each event and function "EVENT<tab>FUNCTION<tab>SELF<tab>TOTAL", and for each event with markers
"EVENT<tab>markers<tab>COUNT<tab>NANOSECONDS". EVENT: the event of threads whose name does not tell it. An unresolved
function is an empty name."""
import gzip
import json
import re
import sys
from collections import Counter
from decimal import Decimal


def fail(text):
    sys.exit(f"{sys.argv[1]}: {text}")


def need(condition, text):
    if not condition:
        fail(text)


def unique(pairs):
    members = dict(pairs)
    need(len(members) == len(pairs), f"a member is repeated: {[p[0] for p in pairs]}")
    return members


def columns(table, names, where):
    """All columns have the length of the table."""
    for name in names:
        need(len(table[name]) == table["length"], f"{where}.{name}: {len(table[name])} of {table['length']}")


def indexes(values, size, where, none=()):
    for value in values:
        need(value in none or (type(value) is int and 0 <= value < size), f"{where}: {value} of {size}")


def whole(value, where):
    """Milliseconds are nanoseconds exactly."""
    ns = value * 1000000
    need(ns == int(ns) and ns >= 0, f"{where}: {value}")
    return int(ns)


def check_tables(profile):
    shared = profile["shared"]
    strings = shared["stringArray"]
    need(len(set(strings)) == len(strings), "a string is repeated")
    names = len(strings)
    libs = len(profile["libs"])
    for lib in profile["libs"]:
        need(re.fullmatch(r"([0-9A-F]{32}0)?", lib["breakpadId"]), f"breakpadId {lib['breakpadId']}")
        need(lib["codeId"] is None or lib["codeId"][:8].upper() ==
             "".join(lib["breakpadId"][i:i + 2] for i in (6, 4, 2, 0)), "codeId")
    resources = shared["resourceTable"]
    columns(resources, ["name", "host", "type"], "resourceTable")
    indexes(resources["name"], names, "resourceTable.name")
    sources = shared["sources"]
    columns(sources, ["id", "filename", "startLine", "startColumn", "sourceMapURL", "content"], "sources")
    indexes(sources["filename"], names, "sources.filename")
    functions = shared["funcTable"]
    columns(functions, ["name", "isJS", "relevantForJS", "resource", "source", "lineNumber", "columnNumber",
                        "originalLocation"], "funcTable")
    indexes(functions["name"], names, "funcTable.name")
    indexes(functions["resource"], resources["length"], "funcTable.resource", (-1,))
    indexes(functions["source"], sources["length"], "funcTable.source", (None,))
    symbols = shared["nativeSymbols"]
    columns(symbols, ["libIndex", "address", "name", "functionSize"], "nativeSymbols")
    indexes(symbols["libIndex"], libs, "nativeSymbols.libIndex")
    indexes(symbols["name"], names, "nativeSymbols.name")
    frames = shared["frameTable"]
    columns(frames, ["address", "lib", "inlineDepth", "category", "subcategory", "func", "nativeSymbol",
                     "innerWindowID", "line", "column", "originalLocation"], "frameTable")
    indexes(frames["lib"], libs, "frameTable.lib", (-1,))
    indexes(frames["func"], functions["length"], "frameTable.func")
    indexes(frames["nativeSymbol"], symbols["length"], "frameTable.nativeSymbol", (None,))
    indexes(frames["inlineDepth"], 256, "frameTable.inlineDepth")
    indexes(frames["address"], 1 << 31, "frameTable.address", (-1,))
    categories = profile["meta"]["categories"]
    indexes(frames["category"], len(categories), "frameTable.category")
    for category, sub in zip(frames["category"], frames["subcategory"]):
        indexes([sub], len(categories[category]["subcategories"]), "frameTable.subcategory")
    stacks = shared["stackTable"]
    columns(stacks, ["frame", "prefixOffset"], "stackTable")
    indexes(stacks["frame"], frames["length"], "stackTable.frame")
    depths = frames["inlineDepth"]
    for i, offset in enumerate(stacks["prefixOffset"]):
        need(0 <= offset <= i, f"stackTable.prefixOffset: {offset} of {i}")
        frame, caller = stacks["frame"][i], stacks["frame"][i - offset]
        if offset and depths[frame]:
            need(depths[frame] in (depths[caller] + 1, 255), f"inlineDepth of stack {i}")
            need(frames["nativeSymbol"][frame] == frames["nativeSymbol"][caller], f"nativeSymbol of stack {i}")


def event_of(profile, thread):
    found = re.search(r" \(([^ ]*)\)$", thread["name"])
    return found[1] if found else sys.argv[2]


def add_samples(profile, thread, sums, totals):
    shared, samples = profile["shared"], thread["samples"]
    stacks, frames = shared["stackTable"], shared["frameTable"]
    strings, functions = shared["stringArray"], shared["funcTable"]
    columns(samples, ["stack", "time"] + (["weight"] if samples["weight"] else []), "samples")
    indexes(samples["stack"], stacks["length"], "samples.stack", (None,))
    need(samples["time"] == sorted(samples["time"]), "samples are not sorted")
    event = event_of(profile, thread)
    for i, stack in enumerate(samples["stack"]):
        whole(samples["time"][i], "time")
        weight = samples["weight"][i] if samples["weight"] else 1
        if samples["weightType"] == "tracing-ms":
            weight = whole(weight, "weight")
        need(type(weight) is int and weight >= 0, f"weight {weight}")
        seen = set()
        while stack is not None:
            name = strings[functions["name"][frames["func"][stacks["frame"][stack]]]]
            # An unresolved function has no source, and is named after its object.
            name = "" if re.fullmatch(r"\[[^\]]*\]?\]", name) else name
            if not seen:
                sums[event, name] += weight
            if name not in seen:
                totals[event, name] += weight
            seen.add(name)
            offset = stacks["prefixOffset"][stack]
            stack = stack - offset if offset else None


def add_markers(profile, thread, counts, times):
    markers = thread["markers"]
    strings = profile["shared"]["stringArray"]
    columns(markers, ["data", "name", "startTime", "endTime", "phase", "category"], "markers")
    indexes(markers["name"], len(strings), "markers.name")
    indexes(markers["category"], len(profile["meta"]["categories"]), "markers.category")
    schemas = {schema["name"]: {field["key"] for field in schema["fields"]}
               for schema in profile["meta"]["markerSchema"]}
    for i, data in enumerate(markers["data"]):
        name = strings[markers["name"][i]]
        need(data["type"] == name, f"marker {i} of type {data['type']} is called {name}")
        need(set(data) - {"type", "cause"} <= schemas[name], f"{name}: {data} are not {schemas[name]}")
        if "cause" in data:
            indexes([data["cause"]["stack"]], profile["shared"]["stackTable"]["length"], "cause.stack")
        counts[name] += 1
        start, end = markers["startTime"][i], markers["endTime"][i]
        need((markers["phase"][i] == 0) == (end is None), f"marker {i}: phase {markers['phase'][i]}, end {end}")
        if end is not None:
            times[name] += whole(end, "end") - whole(start, "start")


def main():
    opened = gzip.open if sys.argv[1].endswith(".gz") else open
    with opened(sys.argv[1], "rt", encoding="utf-8") as file:
        profile = json.load(file, parse_float=Decimal, object_pairs_hook=unique)
    need(profile["meta"]["preprocessedProfileVersion"] == 70, "another version")
    need(profile["meta"]["categories"][0]["color"] == "grey", "no default category")
    check_tables(profile)
    sums, totals, counts, times = Counter(), Counter(), Counter(), Counter()
    mains = Counter()
    for thread in profile["threads"]:
        mains[thread["pid"]] += thread["isMainThread"]
        add_samples(profile, thread, sums, totals)
        add_markers(profile, thread, counts, times)
    need(max(mains.values(), default=0) <= 1, f"main threads: {mains}")
    for counter in profile.get("counters", []):
        samples = counter["samples"]
        columns(samples, ["time", "count"], "counter")
        indexes([counter["mainThreadIndex"]], len(profile["threads"]), "mainThreadIndex")
        print(counter["name"], "counter", samples["length"] - 1, sum(samples["count"]), sep="\t")
    for event, name in totals:
        if totals[event, name]:
            print(event, name, sums[event, name], totals[event, name], sep="\t")
    for name in counts:
        print(name, "markers", counts[name], times[name], sep="\t")


main()
