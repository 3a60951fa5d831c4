# SPDX-License-Identifier: BSD-2-Clause
# The names and encodings of pk-record --list --json and of perf list --json are the same for processors of Intel and AMD, with
# tables from the sources of this perf. PK_PMU_EVENTS is the folder tools/perf/pmu-events of these sources, PK_PERF the perf.
# A perf for x86 has no tables of other architectures. For processors of Arm, s390 and Power, the names and encodings are
# compared with those of jevents.py in this folder, which makes the tables of perf.
set -eu
if [ -z "${PK_PMU_EVENTS-}" ]; then
	echo "PK_PMU_EVENTS is not set" >&2
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
cat >compare_jevents.py <<'END'
import json, os, pathlib, subprocess, sys

arch, folder, cpuid = sys.argv[1:]
source = pathlib.Path(os.environ["PK_PMU_EVENTS"])
sys.path.insert(0, str(source))
import jevents

os.environ.update(PK_CPUID=cpuid, SYSFS_PATH=os.getcwd() + "/sysfs", PK_EVENTS_DIR="tables/%s.events" % arch)


def key(terms):
    return frozenset((name, int(value or "1", 0)) for name, _, value in (term.partition("=") for term in terms.split(",")))


ours = {}
listed = subprocess.run(["pk-record", "--list", "--json", "pmu"], check=True, stdout=subprocess.PIPE, text=True)
for line in listed.stdout.splitlines():
    event = json.loads(line)
    if "Encoding" in event:
        unit = event["Unit"]
        ours.setdefault((unit, event["EventName"]), set()).add(key(event["Encoding"].split("/")[1]))
jevents.preprocess_arch_std_files(str(source / "arch" / arch))
theirs = {}
for path in sorted((source / "arch" / arch / folder).rglob("*.json")):
    if path.name == "metricgroups.json":
        continue
    for event in jevents.read_json_events(str(path), ""):
        if event.name and not event.deprecated:
            unit = event.pmu.replace("default_core", "cpu")
            theirs.setdefault((unit, event.name), set()).add(key(event.event))
bad = [name for name in set(ours) | set(theirs) if ours.get(name) != theirs.get(name)]
print(cpuid, len(ours), "events,", len(theirs), "of jevents.py,", len(bad), "different", [(n, ours.get(n), theirs.get(n)) for n in sorted(bad)[:3]])
sys.exit(bool(bad) or not ours)
END
failed=0
mkdir -p sysfs/bus/event_source/devices
while read -r arch folder cpuid; do
	python3 compare_jevents.py "$arch" "$folder" "$cpuid" || failed=1
done <<'END'
arm64 arm/neoverse-n1 0x00000000410fd0c0
arm64 arm/neoverse-v1 0x00000000410fd400
arm64 arm/cortex-a76 0x00000000410fd0b0
s390 cf_z14 IBM,3906,704,M03,3.5,002f
s390 cf_z16 IBM,3931,704,A01,3.7,002f
powerpc power9 0x004e1202
powerpc power10 0x00800200
END
[ -n "${PK_PERF-}" ] || {
	echo "PK_PERF is not set: processors of Intel and AMD are not compared"
	exit $failed
}
for cpuid in GenuineIntel-6-55-4 GenuineIntel-6-97-2 GenuineIntel-6-8F-8 GenuineIntel-6-9E-9 GenuineIntel-6-3C-3 GenuineIntel-6-AA-4 \
	GenuineIntel-6-6A-6 GenuineIntel-6-BD-1 AuthenticAMD-23-1-2 AuthenticAMD-23-49-0 AuthenticAMD-25-1-1 AuthenticAMD-25-11-1 AuthenticAMD-26-2-1; do
	rm -rf sysfs && mkdir -p sysfs/bus/event_source/devices
	python3 compare.py $cpuid || failed=1
done
exit $failed
