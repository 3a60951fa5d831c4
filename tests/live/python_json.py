# SPDX-License-Identifier: BSD-2-Clause
"""python_json.py FILE JSON...: compares what the package reads from each FILE with the lines of
pk-script --json in JSON, value by value. Prints the number of values that were equal in each."""

import json
import sys
import warnings

import pkstream

equal = 0
of_frames = 0
path = ""


def fail(number, what, expected, value):
    sys.exit(f"{path}: line {number}: {what}: {value!r}, not {expected!r}")


def printed(value, expected):
    """The value as pk-script prints it where that is not the value itself."""
    if isinstance(value, bytes):
        return value[:64].hex()
    if isinstance(value, str):
        return value[: len(expected)] if isinstance(expected, str) and len(expected) >= 4000 else value
    if isinstance(expected, str) and isinstance(value, int) and not isinstance(value, bool):
        return expected if int(expected, 16) == value else value
    return value


def check(number, what, expected, value):
    global equal, of_frames
    if expected != value and printed(value, expected) != expected:
        fail(number, what, expected, value)
    equal += 1
    of_frames += what.startswith("frame.")


def check_frames(number, expected, frames):
    check(number, "callchain", len(expected), len(frames))
    for want, frame in zip(expected, frames):
        for member in ("ip", "symbol", "offset", "dso", "dsoff", "file", "line"):
            if member not in want:
                if getattr(frame, member) is not None and member != "offset":
                    fail(number, "frame." + member, None, getattr(frame, member))
                continue
            check(number, "frame." + member, want[member], getattr(frame, member))
        check(number, "frame.inlined", want.get("inlined", False), frame.inlined)


def check_sample(number, line, sample):
    for member, expected in line.items():
        if member == "callchain":
            check_frames(number, expected, sample.callchain)
        elif member == "fields":
            check(number, "fields", sorted(expected), sorted(sample.fields))
            for name, value in expected.items():
                check(number, "fields." + name, value, sample.fields[name])
                if value is not None and name.isidentifier():
                    check(number, "trace." + name, value, sample["trace." + name])
        elif member in ("iregs", "uregs"):
            check(number, member, [int(n, 16) for n in expected], list(sample[member]))
        elif member == "brstack":
            entries = [tuple(int(e[n], 16) for n in ("from", "to", "flags")) for e in expected]
            check(number, member, entries, list(sample.brstack))
        elif member == "comm" and sample.comm is None:
            # A symbolized stream has the name in the stack, which this sample does not have.
            check(number, "stack", (), sample.stack)
        elif member != "cookie" and not (member == "time" and sample.time is None):
            value = sample[member]
            # Without pid, tid and cpu, pk-script prints -1.
            check(number, member, expected, -1 if value is None and expected == -1 else value)


def flatten(prefix, value, out):
    """Adds value under its name in the lines of pk-script: name[0].field."""
    if isinstance(value, dict):
        for name, item in value.items():
            flatten(f"{prefix}.{name}" if prefix else name, item, out)
    elif isinstance(value, list):
        for i, item in enumerate(value):
            flatten(f"{prefix}[{i}]", item, out)
    else:
        out[prefix] = value


def check_record(number, line, record):
    values = {}
    flatten("", record.asdict(), values)
    check(number, "type", line["type"], record.type)
    for member, value in values.items():
        if member in ("feature", "definition", "malformed", "type"):
            continue
        if member == "id" and values.get("definition", "FEATURE_PART") == "FEATURE_PART":
            continue  # the line has several members of this name
        if member in line:
            check(number, f"{record.type}.{member}", line[member], value)
        elif (
            record.type_number < 64
            and record.type != "CALLCHAIN_DEFERRED"
            and "malformed" not in line
        ):
            fail(number, f"{record.type}.{member}", None, value)
    if "misc" in line:
        check(number, "misc", line["misc"], record.misc)


HIDDEN = {"STRING", "DSO", "FRAME", "STACK", "RESET"}


def is_printed(record):
    return (
        record.type not in ("BEGIN", "FINISHED_ROUND")
        and getattr(record, "definition", None) not in HIDDEN
    )


def members(pairs):
    """A line can have a second member "type", a field of a feature."""
    line = dict(pairs)
    if "type" in line:
        line["type"] = next(value for name, value in pairs if name == "type")
    return line


decode = json.JSONDecoder(object_pairs_hook=members).decode


def compare(expected):
    records = iter(pkstream.open(path, skip_damaged=True))
    number = 0
    with open(expected, encoding="utf-8") as lines:
        for number, text in enumerate(lines, 1):
            line = decode(text)
            record = next(r for r in records if r.type == "SAMPLE" or is_printed(r))
            if line["type"] == "SAMPLE":
                check(number, "type", "SAMPLE", record.type)
                check_sample(number, line, record)
            else:
                check_record(number, line, record)
    for record in records:
        if record.type == "SAMPLE" or is_printed(record):
            fail(number + 1, "record", None, record.type)
    print(equal, "values equal in", number, "records,", of_frames, "of frames")


warnings.simplefilter("ignore", pkstream.StreamWarning)
for path, lines in zip(sys.argv[1::2], sys.argv[2::2]):
    equal = 0
    of_frames = 0
    try:
        compare(lines)
    except (pkstream.DamagedError, pkstream.TruncatedError) as error:
        print(equal, "values equal, then", type(error).__name__)
