# SPDX-License-Identifier: BSD-2-Clause
"""metric_values.py CPUID TABLES SHIM: evaluates all metrics of a processor with pk-stat and with the perf $PK_PERF, on counters
whose values depend only on the encodings of the events (tests/faults/fake_counters.c). Prints the metrics whose values differ."""

import json
import os
import pathlib
import re
import subprocess
import sys

cpuid, tables, shim = sys.argv[1:]
perf = os.environ["PK_PERF"]
here = pathlib.Path.cwd()
sysfs = here / "sysfs"
environment = {
    **os.environ,
    "PK_CPUID": cpuid,
    "PERF_CPUID": cpuid,
    "SYSFS_PATH": str(sysfs),
    "PK_EVENTS_DIR": tables,
}
counting = {**environment, "LD_PRELOAD": shim, "FAKE_COUNTERS_END": str(here / "end")}

# The places of the terms of events. Terms without a place are in config1.
PLACES = {
    "event": "config:0-7",
    "umask": "config:8-15",
    "edge": "config:18",
    "any": "config:21",
    "inv": "config:23",
    "cmask": "config:24-31",
    "thresh": "config:24-31",
    "in_tx": "config:32",
    "in_tx_cp": "config:33",
    "ldlat": "config1:0-15",
    "frontend": "config1:0-23",
    "offcore_rsp": "config1:0-63",
}

# PMUs whose events are described in sysfs, and which metrics name.
SYSFS_EVENTS = {
    "cstate_core": {"c%d-residency" % n: "event=0x%02x" % n for n in (1, 3, 6, 7)},
    "cstate_pkg": {"c%d-residency" % n: "event=0x%02x" % n for n in range(2, 11)},
    "msr": {"tsc": "event=0x00", "aperf": "event=0x01", "mperf": "event=0x02", "smi": "event=0x04"},
    "power": {"energy-cores": "event=0x01", "energy-pkg": "event=0x02", "energy-ram": "event=0x03"},
}


def lines(*command):
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    return done.stdout.splitlines()


def make_sysfs():
    """A folder for each PMU of the table, with all terms that its events have, and the processors of this machine."""
    (sysfs / "devices").mkdir(parents=True, exist_ok=True)
    (sysfs / "devices/system").symlink_to("/sys/devices/system")
    (sysfs / "bus/event_source/devices/software").mkdir(parents=True, exist_ok=True)
    (sysfs / "bus/event_source/devices/software/type").write_text("1\n")
    terms = {}
    for line in lines("pk-record", "--list", "--json", "pmu"):
        event = json.loads(line)
        if "Encoding" in event:
            names = [term.partition("=")[0] for term in event["Encoding"].split("/")[1].split(",")]
            terms.setdefault(event["Unit"], set()).update(names)
    terms.update({unit: {"event"} for unit in SYSFS_EVENTS})
    for number, (unit, names) in enumerate(sorted(terms.items())):
        device = sysfs / "bus/event_source/devices" / unit
        (device / "format").mkdir(parents=True, exist_ok=True)
        (device / "events").mkdir(exist_ok=True)
        core = unit in ("cpu", "cpu_core")
        (device / "type").write_text("%d\n" % (4 if core else 30 + number))
        if unit not in ("cpu", "msr"):
            (device / ("cpus" if unit.startswith("cpu_") else "cpumask")).write_text("0\n")
        for name, text in SYSFS_EVENTS.get(unit, {}).items():
            (device / "events" / name).write_text(text + "\n")
        for name in names | set(PLACES):
            if name != "period":
                (device / "format" / name).write_text(PLACES.get(name, "config1:0-63") + "\n")


def values(*command):
    """The metrics that a command prints: {name: text of the value}. Metrics of a program that has failed are none."""
    (here / "end").unlink(missing_ok=True)
    done = subprocess.run(
        command + ("--", "touch", str(here / "end")), env=counting, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False
    )
    found = {}
    for line in done.stderr.decode(errors="replace").splitlines() if done.returncode == 0 else []:
        if not line.startswith("{"):
            continue
        line = re.sub(r':\s*(-?nan|-?inf)\b', r': null', line)
        item = json.loads(line)
        name = item.get("metric-unit", "").split("  ")[-1].strip()
        if name in names | theirs:
            found[name] = item.get("metric-value")
    return found


def same(ours, theirs):
    if ours is None or theirs is None:
        return ours is theirs
    ours, theirs = float(ours), float(theirs)
    if ours != ours or theirs != theirs:
        return ours != ours and theirs != theirs
    return abs(ours - theirs) <= 1e-6 * max(abs(ours), abs(theirs)) + 2e-6


make_sysfs()
names = {json.loads(line)["EventName"] for line in lines("pk-stat", "-j", "--list", "metric")}
theirs = {item["MetricName"] for item in json.loads("\n".join(lines(perf, "list", "--json", "metric"))) if "MetricName" in item}
if os.environ.get("PK_METRICS"):
    names = theirs = set(os.environ["PK_METRICS"].split())
equal, neither, different = 0, 0, []
for name in sorted(names | theirs):
    ours = values("pk-stat", "-q", "-j", "-a", "-M", name)
    perfs = values(perf, "stat", "-j", "-a", "-M", name)
    if not ours and not perfs:
        neither += 1
        print("  neither:", name)
    elif ours.keys() == perfs.keys() and all(same(ours[key], perfs[key]) for key in ours):
        equal += 1
    else:
        different.append(name)
        print("  different:", name, "pk", ours, "perf", perfs)
print(cpuid, len(names), "metrics,", len(theirs), "of perf:", equal, "equal,", len(different), "different,", neither, "of neither")
sys.exit(bool(different) or names != theirs or not equal)
