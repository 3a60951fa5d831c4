#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""event_tables.py PMU-EVENTS OUT: packs the events and metrics of the kernel's folder tools/perf/pmu-events into one file
OUT/ARCH.events for each architecture. lib/event/pmu_table.h describes the files. Members that pk does not read are left out."""

import json
import pathlib
import subprocess
import sys
import tempfile

MEMBERS = """AnyThread BriefDescription ConfigCode CounterMask Deprecated EdgeDetect EnAllCores EnAllSlices EventCode EventName EventidCode
ExtSel FCMask Filter Invert MSRIndex MSRValue MetricConstraint MetricExpr MetricGroup MetricName MetricThreshold NodeType PerPkg
PortMask RdWrMask SampleAfterValue ScaleUnit SliceId ThreadMask UMask UMaskExt Unit""".split()


def objects(folder):
    """The events and metrics in the files of a folder and its subfolders."""
    for path in sorted(folder.rglob("*.json")):
        content = json.loads(path.read_text(encoding="utf-8"))
        # metricgroups.json describes groups, and is no array.
        if isinstance(content, list):
            yield from content


def generated(source, folder):
    """Metrics of processors that programs in the folder pmu-events make. Older kernels have no such programs."""
    names = folder.parts[len(source.parts) + 1 :]
    if names[0] == "x86":
        program, words = "amd_metrics.py" if names[-1].startswith("amdzen") else "intel_metrics.py", names[-1:]
    elif names[:2] == ("arm64", "arm") and names[-1] != "cmn":
        program, words = "arm64_metrics.py", names[-2:]
    else:
        return []
    if not (source / program).exists():
        return []
    command = [sys.executable, source / program, *words, source / "arch"]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def name_of(item):
    return (item.get("EventName") or item.get("MetricName") or "").lower()


def processor(folder, standards, metrics):
    """The JSON text of a processor. References to events of the whole architecture are replaced by these events. metrics are
    those of all processors."""
    items = list(metrics)
    for item in objects(folder):
        item = {**standards.get(item.get("ArchStdEvent", "").lower(), {}), **item}
        item = {key: item[key] for key in MEMBERS if key in item}
        if "EventName" in item:
            item["EventName"] = item["EventName"].lower()
        items.append(item)
    return json.dumps(items, ensure_ascii=False, separators=(",", ":")).encode()


def compress(text):
    with tempfile.NamedTemporaryFile() as file:
        file.write(text)
        file.flush()
        return subprocess.run(["zstd", "-12", "-q", "-c", file.name], check=True, stdout=subprocess.PIPE).stdout


def table(arch, metrics):
    """The bytes of an architecture's table."""
    standards = {}
    for path in sorted(arch.glob("*.json")):
        standards.update((name_of(item), item) for item in json.loads(path.read_text(encoding="utf-8")))
    lines, frames, places, size = [], [], {}, 0
    for line in (arch / "mapfile.csv").read_text(encoding="utf-8").splitlines():
        fields = line.split(",")
        if line.startswith("#") or len(fields) < 4 or not (arch / fields[2]).is_dir():
            continue
        if fields[2] not in places:
            more = generated(arch.parent.parent, arch / fields[2])
            frames.append(compress(processor(arch / fields[2], standards, metrics + more)))
            places[fields[2]] = (size, len(frames[-1]))
            size += len(frames[-1])
        lines.append("%s\t%d\t%d\n" % (fields[0], *places[fields[2]]))
    return ("pk-events 1\n" + "".join(lines) + "\n").encode() + b"".join(frames)


def main():
    source, out = map(pathlib.Path, sys.argv[1:])
    out.mkdir(parents=True, exist_ok=True)
    # Since Linux 6.19, there are metrics of software events, which all processors have.
    common = objects(source / "arch" / "common")
    metrics = [{key: item[key] for key in MEMBERS if key in item} for item in common if "MetricName" in item]
    for mapfile in sorted((source / "arch").glob("*/mapfile.csv")):
        if mapfile.parent.name != "test":
            (out / (mapfile.parent.name + ".events")).write_bytes(table(mapfile.parent, metrics))


main()
