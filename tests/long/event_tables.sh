# SPDX-License-Identifier: BSD-2-Clause
# The names and encodings of pk-record --list --json and of perf list --json are the same for processors of Intel and AMD, with
# tables from the sources of this perf. PK_PMU_EVENTS is the folder tools/perf/pmu-events of these sources, PK_PERF the perf.
set -eu
if [ -z "${PK_PMU_EVENTS-}" ] || [ -z "${PK_PERF-}" ]; then
	echo "PK_PMU_EVENTS and PK_PERF are not set" >&2
	exit 77
fi
"$PK_TOP/share/event_tables.py" "$PK_PMU_EVENTS" tables
cat >compare.py <<'END'
import json, os, subprocess, sys

cpuid = sys.argv[1]
ours = {}
os.environ.update(PK_CPUID=cpuid, PERF_CPUID=cpuid, SYSFS_PATH=os.getcwd() + "/sysfs", PK_EVENTS_DIR="tables/x86.events")


def key(encoding):
    terms = set()
    for term in encoding.split("/")[1].split(","):
        name, _, value = term.partition("=")
        value = int(value, 0) if value else 1
        if value or name == "event":
            terms.add((name, value))
    return tuple(sorted(terms))


def lines(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout


units = set()
for line in lines("pk-record", "--list", "--json", "pmu").splitlines():
    event = json.loads(line)
    if "Encoding" in event:
        units.add(event["Unit"])
        ours.setdefault((event["Unit"], event["EventName"]), set()).add(key(event["Encoding"]))
devices = "sysfs/bus/event_source/devices/"
for number, unit in enumerate(units):
    os.makedirs(devices + unit + "/format", exist_ok=True)
    os.makedirs(devices + unit + "/events", exist_ok=True)
    with open(devices + unit + "/type", "w") as file:
        file.write("%d\n" % (4 if unit in ("cpu", "cpu_core") else 30 + number))
    if unit != "cpu":
        with open(devices + unit + ("/cpus" if unit.startswith("cpu_") else "/cpumask"), "w") as file:
            file.write("0\n")
theirs = {}
for event in json.loads(lines(os.environ["PK_PERF"], "list", "--json")):
    unit = event.get("Unit")
    if unit in units and event.get("Encoding"):
        # Some names are written as PMU/NAME/.
        name = event["EventName"].removeprefix(unit + "/").removesuffix("/")
        theirs.setdefault((unit, name), set()).add(key(event["Encoding"]))
bad = [name for name in set(ours) | set(theirs) if ours.get(name) != theirs.get(name)]
print(cpuid, len(ours), "events,", len(theirs), "of perf,", len(bad), "different", [(n, ours.get(n), theirs.get(n)) for n in sorted(bad)[:3]])
sys.exit(bool(bad))
END
failed=0
for cpuid in GenuineIntel-6-55-4 GenuineIntel-6-97-2 GenuineIntel-6-8F-8 GenuineIntel-6-9E-9 GenuineIntel-6-3C-3 GenuineIntel-6-AA-4 \
	GenuineIntel-6-6A-6 GenuineIntel-6-BD-1 AuthenticAMD-23-1-2 AuthenticAMD-23-49-0 AuthenticAMD-25-1-1 AuthenticAMD-25-11-1 AuthenticAMD-26-2-1; do
	rm -rf sysfs && mkdir -p sysfs/bus/event_source/devices
	python3 compare.py $cpuid || failed=1
done
exit $failed
