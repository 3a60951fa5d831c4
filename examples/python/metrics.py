# SPDX-License-Identifier: BSD-2-Clause
"""metrics.py [FILE]: metrics of the counts in a stream, one line for each interval.

    pk-stat --stream -a -I 1000 -e context-switches,cpu-clock,cycles,instructions | python3 metrics.py

A metric is a function of counts. It returns None if an event is missing or was not counted.
"""

import sys

import pkstream


def cs_per_second(counts):
    """Context switches for each second of a processor."""
    clock = "task-clock" if counts["task-clock"] else "cpu-clock"
    rate = counts.ratio("context-switches", clock)  # for each nanosecond
    return rate and rate * 1e9


def ipc(counts):
    """Instructions for each cycle."""
    return counts.ratio("instructions", "cycles")


# The first level of the top-down method: what became of the slots in which an instruction could have been issued.
# Intel from Ice Lake on counts it.
FRACTIONS = {
    "retiring": "topdown-retiring",
    "bad speculation": "topdown-bad-spec",
    "frontend bound": "topdown-fe-bound",
    "backend bound": "topdown-be-bound",
}


def topdown(counts):
    """The four fractions of the first level, as a dictionary."""
    values = [counts[event] for event in FRACTIONS.values()]
    if None not in values and sum(values):
        return {name: counts[event] / sum(values) for name, event in FRACTIONS.items()}
    return topdown_of_uops(counts)


def topdown_of_uops(counts, width=4):
    """The same from events of Intel's Sandy Bridge to Skylake: 4 micro-operations can be issued in each cycle."""
    names = "uops_retired.retire_slots", "uops_issued.any", "int_misc.recovery_cycles", "idq_uops_not_delivered.core"
    retired, issued, recovery, missing = (counts[name] for name in names)
    if None in (retired, issued, recovery, missing) or not counts["cycles"]:
        return None
    slots = width * counts["cycles"]
    result = {
        "retiring": retired / slots,
        "bad speculation": (issued - retired + width * recovery) / slots,
        "frontend bound": missing / slots,
    }
    result["backend bound"] = 1 - sum(result.values())
    return result


def main():
    for counts in pkstream.counts(*sys.argv[1:]):
        line = [] if counts.time is None else [f"{counts.time:10.3f} s"]
        for metric in (cs_per_second, ipc):
            value = metric(counts)
            line.append(f"{metric.__name__} " + ("-" if value is None else f"{value:.2f}"))
        line += [f"{name} {value:.1%}" for name, value in (topdown(counts) or {}).items()]
        print(", ".join(line), flush=True)


if __name__ == "__main__":
    main()
