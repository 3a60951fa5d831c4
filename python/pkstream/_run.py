# SPDX-License-Identifier: BSD-2-Clause
"""Scripts with handlers for events, in the manner of perf script."""

import re
import sys

from ._reader import open as open_reader


def _frames(sample):
    """The callchain in perf's form."""
    chain = []
    for frame in sample.callchain or ():
        entry = {"ip": frame.ip}
        if frame.symbol is not None:
            start = None if frame.offset is None else frame.ip - frame.offset
            entry["sym"] = {"name": frame.symbol, "start": start}
        if frame.dso is not None:
            entry["dso"] = frame.dso
        chain.append(entry)
    return chain


_NUMBERS = ("pid", "tid", "cpu", "ip", "time", "period", "addr", "phys_addr", "id", "weight")


def _numbers(sample):
    """The fields of the sample in perf's form."""
    return sample.asdict(*_NUMBERS)


def _param(sample):
    """The argument of process_event()."""
    param = {
        "ev_name": sample.event,
        "comm": sample.comm,
        "sample": _numbers(sample),
        "raw_buf": sample.raw or b"",
        "callchain": _frames(sample),
    }
    param.update(sample.asdict("dso", "symbol"))
    return param


def _common(sample):
    """The arguments that all handlers of tracepoints have, after the name of the event."""
    time = sample.time or 0
    return (
        sample,
        sample.cpu,
        time // 1000000000,
        time % 1000000000,
        sample.tid,
        sample.comm,
        _frames(sample),
    )


def _function(event):
    """The name of the handler for an event, as pk-script --gen python writes it."""
    name = re.sub("[^A-Za-z0-9_]", "_", event.replace(":", "__"))
    return "_" + name if name[:1].isdigit() else name


def _trace(handlers, sample, fields):
    """Call the handler of a tracepoint's sample."""
    name = _function(sample.event)
    handler = handlers.get(name)
    if handler is not None:
        handler(name, *_common(sample), *fields.values(), {"sample": _numbers(sample)})
        return
    handler = handlers.get("trace_unhandled")
    if handler is None:
        return
    keys = ("common_cpu", "common_s", "common_ns", "common_pid", "common_comm", "common_callchain")
    values = dict(zip(keys, _common(sample)[1:]))
    values.update(fields)
    handler(name, sample, values, {"sample": _numbers(sample)})


def run(handlers=None, source=None, **options):
    """Call handlers for the samples of a recording, as perf script -s does.

    handlers: a module, a dictionary of functions, or None for those of the script itself. Called are
    trace_begin(); for each sample of a tracepoint or probe SYSTEM:NAME the function SYSTEM__NAME(
    event_name, context, common_cpu, common_secs, common_nsecs, common_pid, common_comm,
    common_callchain, FIELD..., perf_sample_dict), or else trace_unhandled(event_name, context,
    fields, perf_sample_dict); for each other sample process_event(param_dict); and trace_end().
    Functions that do not exist are not called. context is the Sample.

    source: as for open(); None is the argument of the script, or stdin.
    """
    if handlers is None:
        handlers = sys.modules["__main__"]
    if not isinstance(handlers, dict):
        handlers = vars(handlers)
    if source is None:
        source = sys.argv[1] if len(sys.argv) > 1 else "-"
    begin, general, end = (
        handlers.get(name) for name in ("trace_begin", "process_event", "trace_end")
    )
    if begin is not None:
        begin()
    with open_reader(source, **options) as reader:
        for sample in reader.samples():
            fields = sample.fields
            if fields is not None:
                _trace(handlers, sample, fields)
            elif general is not None:
                general(_param(sample))
    if end is not None:
        end()
