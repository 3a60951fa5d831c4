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

# Programs measure this many metrics at once.
BATCH = 64

# The places of the terms of events. Terms without a place are in config1.
PLACES = {
    "event": "config:0-7,34-37",
    "umask": "config:8-15,40-63",
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
    "filter_opc0": "config1:41-50",
    "filter_opc1": "config1:51-60",
    "filter_loc": "config1:32",
    "filter_rem": "config1:33",
    "filter_nm": "config1:36",
    "filter_not_nm": "config1:37",
    "filter_state": "config1:17-24",
    "filter_tid": "config1:0-8",
}

# PMUs whose events are described in sysfs, and which metrics name.
SYSFS_EVENTS = {
    "cstate_core": {"c%d-residency" % n: "event=0x%02x" % n for n in (1, 3, 6, 7)},
    "cstate_pkg": {"c%d-residency" % n: "event=0x%02x" % n for n in range(2, 11)},
    "msr": {"tsc": "event=0x00", "aperf": "event=0x01", "mperf": "event=0x02", "smi": "event=0x04"},
    "cpu": {
        "slots": "event=0x00,umask=0x4",
        **{
            "topdown-" + name: "event=0x00,umask=0x%x" % (0x80 + n)
            for n, name in enumerate("retiring bad-spec fe-bound be-bound heavy-ops br-mispredict fetch-lat mem-bound".split())
        },
    },
    "amd_iommu": {
        name: "event=0x%02x" % (5 + n)
        for n, name in enumerate(
            "mem_iommu_tlb_pte_hit mem_iommu_tlb_pte_mis mem_iommu_tlb_pde_hit mem_iommu_tlb_pde_mis int_dte_hit int_dte_mis".split()
        )
    },
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
    for unit in SYSFS_EVENTS:
        terms.setdefault(unit, {"event"})
    for number, (unit, names) in enumerate(sorted(terms.items())):
        # Some metrics name the first unit of several.
        device = sysfs / "bus/event_source/devices" / (unit + "_0" if unit.startswith("uncore_") else unit)
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


def measured(command, batch):
    """The metrics that one run of a command prints: {name: text of the value}, or None if it fails."""
    (here / "end").unlink(missing_ok=True)
    command = command + ("-j", "-a", "-M", ",".join(batch), "--", "touch", str(here / "end"))
    done = subprocess.run(command, env=counting, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    if done.returncode != 0:
        return None
    found = {}
    for line in done.stderr.decode(errors="replace").splitlines():
        if line.startswith("{"):
            item = json.loads(re.sub(r":\s*(-?nan|-?inf)\b", r": null", line))
            name = item.get("metric-unit", "").split("  ")[-1].strip()
            if name in names | theirs:
                found[name] = item.get("metric-value")
    return found


def values(command, batch):
    """The values of all metrics of a batch. A program fails if one of the metrics cannot be counted: the batch is halved."""
    found = measured(command, batch)
    if found is not None or len(batch) == 1:
        return found or {}
    half = len(batch) // 2
    return {**values(command, batch[:half]), **values(command, batch[half:])}


def same(ours, theirs):
    # pk-stat prints null where perf prints nan.
    ours, theirs = (float("nan" if value is None else value) for value in (ours, theirs))
    if ours != ours or theirs != theirs:
        return ours != ours and theirs != theirs
    return abs(ours - theirs) <= 1e-6 * max(abs(ours), abs(theirs)) + 2e-6


make_sysfs()
names = {json.loads(line)["EventName"] for line in lines("pk-stat", "-j", "--list", "metric")}
theirs = {item["MetricName"] for item in json.loads("\n".join(lines(perf, "list", "--json", "metric"))) if "MetricName" in item}
if os.environ.get("PK_METRICS"):
    names = theirs = set(os.environ["PK_METRICS"].split())
everything = sorted(names | theirs)
ours, perfs = {}, {}
for start in range(0, len(everything), BATCH):
    ours.update(values(("pk-stat", "-q"), everything[start : start + BATCH]))
    perfs.update(values((perf, "stat"), everything[start : start + BATCH]))
# perf does not print each metric if it measures many.
for name in names & theirs:
    if (name in ours) != (name in perfs):
        ours.update(values(("pk-stat", "-q"), [name]))
        perfs.update(values((perf, "stat"), [name]))
equal, neither, different = 0, 0, []
for name in everything:
    if name not in ours and name not in perfs:
        neither += 1
        print("  neither:", name)
    elif name in ours and name in perfs and same(ours[name], perfs[name]):
        equal += 1
    else:
        different.append(name)
        print("  different:", name, "pk", ours.get(name, "nothing"), "perf", perfs.get(name, "nothing"))
print(cpuid, len(names), "metrics,", len(theirs), "of perf:", equal, "equal,", len(different), "different,", neither, "of neither")
sys.exit(bool(different) or names != theirs or not equal)
