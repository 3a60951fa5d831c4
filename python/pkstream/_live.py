# SPDX-License-Identifier: BSD-2-Clause
"""Counting and recording now, and the counts of pk-stat."""

import json
import signal
import subprocess
import sys
from typing import NamedTuple, Optional

from . import _pkstream
from ._reader import Reader, open as open_reader


class Count(NamedTuple):
    """A count. enabled and running are nanoseconds: they differ if the counter was shared."""

    value: int
    enabled: int
    running: int

    @property
    def scaled(self):
        """The value, extrapolated to the time in which the counter was enabled; None: it never ran."""
        if self.running == 0:
            return None
        return self.value if self.running == self.enabled else self.value * self.enabled / self.running


def _list(numbers):
    """Numbers as an option of the programs has them."""
    if numbers is None or isinstance(numbers, str):
        return numbers
    return ",".join(map(str, [numbers] if isinstance(numbers, int) else numbers))


class _ByEvent(dict):
    """By event. Who may count user space only has an event task-clock:u, which task-clock finds, too."""

    def __missing__(self, name):
        if name + ":u" in self:
            return self[name + ":u"]
        raise KeyError(name)


class Counters(_pkstream.Counters):
    """Counters(events, *, pids=None, tids=None, cpus=None, system_wide=False, inherit=True)

    Counts events, named as for pk-stat -e, of processes, threads, processors or the whole system; else of
    this process. pids, tids and cpus are numbers, or texts such as "0-3". inherit: also of the children
    that these tasks will have. The counters are disabled at first; a with block enables them.
    """

    def __init__(self, events, *, pids=None, tids=None, cpus=None, system_wide=False, inherit=True):
        super().__init__(events, _list(pids), _list(tids), _list(cpus), system_wide, inherit)

    def read(self):
        """The counts by event, as a dictionary of Count: the sums of all processors and threads."""
        sums = _ByEvent()
        for name, _, _, *values in self.read_all():
            sums[name] = Count(*map(sum, zip(values, sums.get(name, (0, 0, 0)))))
        return sums

    def __enter__(self):
        self.enable()
        return self

    def __exit__(self, *exception):
        self.disable()


class Recording(Reader):
    """A Reader of what pk-record records meanwhile. close() ends the recording.

    status: after close(), the exit status of pk-record, which prints its errors to stderr.
    """

    def __init__(self, arguments, program="pk-record", **options):
        self._process = subprocess.Popen([program, "-q", *arguments], stdout=subprocess.PIPE)
        self.status = None
        super().__init__(self._process.stdout, **options)

    def close(self):
        """End the recording, and free the memory."""
        super().close()
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
        self._process.stdout.close()
        self.status = self._process.wait()


def record(*arguments, **options):
    """Record with pk-record, and read the records at the same time: record("-a", "-e", "sched").

    options: as for open(), and program, the path of pk-record.
    """
    return Recording(arguments, **options)


class Counts(_ByEvent):
    """Counts of pk-stat by event, a number or None each; None, too, for an event that was not counted.

    Clocks are in nanoseconds. place: the processor, core and so on that they are of, or "". time: end of
    the interval in seconds since the start, or None without intervals.
    """

    def __init__(self, place: str, time: Optional[float]):
        super().__init__()
        self.place = place
        self.time = time

    def __missing__(self, name):
        return self.get(name + ":u")

    def ratio(self, name, other):
        """The count of one event over that of another; None if one is missing, or the other is 0."""
        if self[name] is None or not self[other]:
            return None
        return self[name] / self[other]


_PLACES = ("cpu", "core", "die", "socket", "node", "thread", "cgroup")


def _from_lines(lines):
    """Counts of lines of pk-stat --json. Those of an interval are in order of events, not of places."""
    counts = {}
    time = None
    for line in lines:
        item = json.loads(line)
        if "counter-value" not in item:
            continue
        if item.get("interval") != time:
            yield from counts.values()
            counts = {}
            time = item.get("interval")
        place = " ".join(str(item[name]) for name in _PLACES if name in item)
        if place not in counts:
            counts[place] = Counts(place, time)
        try:
            value = float(item["counter-value"])
        except ValueError:
            value = None  # "<not counted>"
        if value is not None and item.get("unit") == "msec":
            value *= 1e6
        counts[place][item["event"]] = value
    yield from counts.values()


def _from_stream(reader):
    """Counts of a stream of pk-stat --stream or perf stat record: sums over all counters."""
    before = {}  # by counter: the counts of a stream are those since its start
    counts = Counts("", None)
    for record in reader:
        if record.type == "STAT":
            key = record.id, record.cpu, record.thread
            value, enabled, running = (
                new - old
                for new, old in zip((record.value, record.enabled, record.running), before.get(key, (0, 0, 0)))
            )
            before[key] = record.value, record.enabled, record.running
            if running:
                scaled = value if running == enabled else value * enabled / running
                counts[record.event] = (counts[record.event] or 0) + scaled
        elif record.type == "STAT_ROUND":
            counts.time = record.asdict()["time"] / 1e9
            yield counts
            counts = Counts("", None)
    if counts:
        yield counts


def counts(source="-"):
    """Return an iterator over the Counts of each interval, processor and so on.

    source: as for open(), a stream of pk-stat --stream or perf stat record; or an iterable of lines of
    pk-stat --json.
    """
    if isinstance(source, (str, bytes, int)) or hasattr(source, "__fspath__"):
        return _from_stream(open_reader(source))
    return _from_lines(source)
