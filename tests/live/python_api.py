# SPDX-License-Identifier: BSD-2-Clause
"""python_api.py FOLDER: tests of the Python package. FOLDER has the streams that python_api.sh makes."""

import gc
import os
import resource
import struct
import subprocess
import sys
import threading
import unittest
import warnings

import pkstream

folder = sys.argv.pop()


def path(name):
    return os.path.join(folder, name)


def content(name):
    with open(path(name), "rb") as file:
        return file.read()


def output(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout


class Texts(unittest.TestCase):
    def test_repr(self):
        reader = pkstream.open(path("x86_64.pk"))
        record = next(iter(reader))
        first = repr(record)
        sample = next(reader.samples())
        self.assertRegex(first, r"^Record\(type='[A-Z_0-9]+', offset=\d+")
        self.assertEqual(repr(record), "<Record: the reader has advanced>")
        for name in ("event", "comm", "tid", "time", "period"):
            self.assertIn(f"{name}={getattr(sample, name)!r}", repr(sample))
        self.assertIn(sample.event, repr(reader))
        columns = pkstream.open(path("x86_64.pk")).columns("comm", "tid", limit=7)
        self.assertEqual(repr(columns), "<Columns of 7 samples: comm, tid>")
        self.assertEqual(repr(columns["tid"]).count(","), 5)


class Reading(unittest.TestCase):
    def test_sources(self):
        counts = []
        with pkstream.open(path("x86_64.pk")) as reader:
            counts.append(sum(1 for _ in reader.samples()))
        with open(path("x86_64.pk"), "rb") as file:
            counts.append(sum(1 for _ in pkstream.open(file).samples()))
            file.seek(0)
            counts.append(sum(1 for _ in pkstream.Reader(file.fileno()).samples()))
        cat = subprocess.Popen(["cat", path("x86_64.pk")], stdout=subprocess.PIPE)
        with cat.stdout:
            counts.append(sum(1 for _ in pkstream.open(cat.stdout).samples()))
        cat.wait()
        self.assertEqual(counts[0], counts[1])
        self.assertEqual(len(set(counts)), 1)
        self.assertGreater(counts[0], 300)

    def test_no_file(self):
        with self.assertRaises(FileNotFoundError) as caught:
            pkstream.open(path("none"))
        self.assertEqual(caught.exception.filename, path("none"))
        with self.assertRaises(TypeError):
            pkstream.open(None)
        with self.assertRaises(TypeError):
            pkstream.open(path("x86_64.pk"), sorted=True)

    def test_a_directory_cannot_be_read(self):
        with self.assertRaises(pkstream.Error):
            list(pkstream.open(folder))

    def test_attributes(self):
        sample = next(pkstream.open(path("x86_64.pk")).samples())
        self.assertEqual(sample.type, "SAMPLE")
        self.assertEqual(sample.mode, "kernel")
        self.assertIsNone(sample.addr)
        self.assertEqual(sample["pid"], sample.pid)
        self.assertEqual(sample.data[:4], struct.pack("=I", 9))
        self.assertEqual(struct.unpack("=H", sample.data[6:8])[0], len(sample.data))
        self.assertFalse(hasattr(sample, "prev_state"))
        with self.assertRaises(KeyError):
            sample["prev_state"]
        with self.assertRaises(TypeError):
            sample[1]
        with self.assertRaisesRegex(AttributeError, "needs files"):
            sample.typeoff
        self.assertEqual(sample.asdict("pid", "addr"), {"pid": sample.pid})
        whole = sample.asdict()
        self.assertEqual(whole["symbol"], sample.stack[0].symbol)
        self.assertEqual(whole["callchain"], sample.callchain)

    def test_all_fields_of_the_documentation(self):
        sample = next(pkstream.open(path("x86_64.pk")).samples())
        for name in pkstream.field_names():
            getattr(sample, name)

    def test_stacks(self):
        shared = {}
        for sample in pkstream.open(path("x86_64.pk")).samples():
            names = [frame.symbol for frame in sample.stack]
            self.assertEqual(names, [frame.symbol for frame in sample.callchain])
            self.assertTrue(all(frame.ip is None for frame in sample.stack))
            self.assertIs(shared.setdefault(sample.stack, sample.stack), sample.stack)
        self.assertGreater(len(shared), 20)

    def test_tracepoints(self):
        reader = pkstream.open(path("arm64.pk"))
        seen = 0
        for sample in reader.samples():
            if sample.fields is None:
                continue
            seen += 1
            for name, value in sample.fields.items():
                self.assertEqual(sample["trace." + name], value)
            self.assertIsInstance(sample.trace, str)
        self.assertGreater(seen, 10)
        self.assertEqual(reader.session["byte_order"], "little")
        reader = pkstream.open(path("arm64.pk"))
        next(s for s in reader.samples() if s.fields)
        self.assertTrue(any(event["fields"] for event in reader.events))

    def test_events(self):
        reader = pkstream.open(path("s390x.perf"))
        for sample in reader.samples():
            event = next(e for e in reader.events if e["name"] == sample.event)
            if sample.fields is not None:
                self.assertEqual(event["fields"], list(sample.fields))
        self.assertEqual(reader.session["byte_order"], "big")
        self.assertTrue(reader.session["machine"])

    def test_records(self):
        kinds = {}
        for record in pkstream.open(path("x86_64.pk")):
            if record.type == "SAMPLE":
                continue
            kinds[record.type] = kinds.get(record.type, 0) + 1
            if record.type == "COMM":
                self.assertEqual(record.comm, record.asdict()["comm"])
                self.assertGreater(record.pid, -2)
            self.assertFalse(hasattr(record, "nothing"))
        self.assertEqual(kinds["BEGIN"], 1)
        self.assertGreater(kinds["COMM"], 0)
        self.assertGreater(kinds["MMAP2"], 0)

    def test_order(self):
        times = [s.time for s in pkstream.open(path("s390x.perf")).samples()]
        unsorted = [s.time for s in pkstream.open(path("s390x.perf"), ordered=False).samples()]
        self.assertEqual(times, sorted(times))
        self.assertNotEqual(times, unsorted)
        self.assertEqual(times, sorted(unsorted))

    def test_sessions(self):
        begins, samples = [], 0
        for record in pkstream.open(path("two.pk")):
            if record.type == "BEGIN":
                begins.append(samples)
            samples += record.type == "SAMPLE"
        self.assertEqual(begins[0], 0)
        self.assertEqual(len(begins), 2)
        self.assertGreater(samples, begins[1] + 100)

    def test_where(self):
        wanted = output("pk-filter", "--where", 'mode == "user" && depth > 3', path("x86_64.pk"))
        wanted = sum(1 for r in pkstream.open(pipe_with(wanted)) if r.type == "SAMPLE")
        reader = pkstream.open(path("x86_64.pk"), where='mode == "user" && depth > 3')
        modes = [s.mode for s in reader.samples()]
        self.assertEqual(set(modes), {"user"})
        self.assertEqual(len(modes), wanted)
        with self.assertRaisesRegex(ValueError, "character 7"):
            pkstream.open(path("x86_64.pk"), where="pid ==")


def pipe_with(data):
    """A descriptor from which data can be read."""
    read, write = os.pipe()
    threading.Thread(target=lambda: write_all(write, data)).start()
    return os.fdopen(read, "rb")


def write_all(fd, data):
    with os.fdopen(fd, "wb") as file:
        file.write(data)


class Lifetimes(unittest.TestCase):
    def test_stale(self):
        reader = pkstream.open(path("x86_64.pk"))
        samples = reader.samples()
        first = next(samples)
        kept = first.asdict()
        next(samples)
        for use in (lambda: first.pid, lambda: first["comm"], first.asdict, lambda: first.stack):
            with self.assertRaises(pkstream.StaleError):
                use()
        self.assertIn("pid", kept)
        record = next(iter(pkstream.open(path("x86_64.pk"))))
        self.assertEqual(record.type, "BEGIN")

    def test_closed(self):
        reader = pkstream.open(path("x86_64.pk"))
        sample = next(reader.samples())
        reader.close()
        reader.close()
        with self.assertRaises(pkstream.StaleError):
            sample.pid
        with self.assertRaises(ValueError):
            next(reader)
        with self.assertRaises(ValueError):
            reader.columns("pid")
        self.assertEqual(reader.events, [])

    def test_samples_keep_the_reader(self):
        sample = next(pkstream.open(path("x86_64.pk")).samples())
        self.assertGreater(sample.pid, 0)

    def test_files_are_closed(self):
        gc.collect()
        before = len(os.listdir("/proc/self/fd"))
        for _ in range(50):
            next(pkstream.open(path("x86_64.pk")))
        self.assertEqual(len(os.listdir("/proc/self/fd")), before)

    @unittest.skipIf(os.environ.get("PK_SAN"), "the sanitizer keeps freed memory")
    def test_memory(self):
        def once():
            total = 0
            for record in pkstream.open(path("many.pk")):
                if record.type == "SAMPLE":
                    total += len(record.stack) + len(record.callchain) + len(record.comm)
                    record.asdict("symbol", "dso", "time")
                elif record.type == "MMAP2":
                    record.asdict()
            pkstream.open(path("many.pk")).columns("comm", "time", "stack", "symbol")
            return total

        def kib():
            return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

        once()
        once()
        before = kib()
        for _ in range(8):
            once()
        self.assertLess(kib() - before, 8192)


class Damage(unittest.TestCase):
    def test_not_a_stream(self):
        with self.assertRaises(pkstream.DamagedError) as caught:
            list(pkstream.open(pipe_with(b"no stream " * 100)))
        self.assertEqual(caught.exception.offset, 0)

    def test_truncated(self):
        data = content("x86_64.pk")
        reader = pkstream.open(pipe_with(data[: len(data) // 2 + 4]))
        with self.assertRaises(pkstream.TruncatedError) as caught:
            for record in reader:
                end = record.offset
        self.assertGreater(caught.exception.offset, end)
        self.assertLess(caught.exception.offset, len(data) // 2 + 4)

    def test_empty(self):
        with self.assertRaises(pkstream.TruncatedError):
            list(pkstream.open(pipe_with(b"")))

    def damaged_stream(self):
        """A stream with a COMM without a NUL, and the offset of that record."""
        data = bytearray(content("x86_64.pk"))
        for record in pkstream.open(path("x86_64.pk")):
            if record.type == "COMM":
                break
        data[record.offset + 16 : record.offset + len(record.data)] = b"x" * (len(record.data) - 16)
        return bytes(data), record.offset

    def test_damaged_record(self):
        data, offset = self.damaged_stream()
        reader = pkstream.open(pipe_with(data))
        with self.assertRaises(pkstream.DamagedError) as caught:
            for _ in reader:
                pass
        self.assertEqual(caught.exception.offset, offset)
        self.assertIn(str(offset), str(caught.exception))
        rest = sum(1 for _ in reader)
        self.assertGreater(rest, 300)
        self.assertEqual(reader.bad_records, 1)

    def test_damage_that_is_skipped(self):
        data, offset = self.damaged_stream()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            reader = pkstream.open(pipe_with(data), skip_damaged=True)
            count = sum(1 for _ in reader)
        self.assertEqual(len(caught), 1)
        self.assertIn(f"offset {offset}", str(caught[0].message))
        self.assertEqual(count, sum(1 for _ in pkstream.open(path("x86_64.pk"))) - 1)

    def test_every_byte(self):
        """Any byte can be wrong: the result is records or an exception of the module."""
        data = content("small.pk")
        raised = 0
        for at in range(8, len(data)):
            damaged = bytearray(data)
            damaged[at] ^= 0xFF
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    for record in pkstream.open(pipe_with(damaged), skip_damaged=at % 2 == 0):
                        record.asdict()
                except pkstream.Error:
                    raised += 1
        self.assertGreater(raised, 10)


class Writing(unittest.TestCase):
    def copy(self, name, **options):
        with pkstream.Writer(path("copy"), **options) as writer:
            for record in pkstream.open(path(name), ordered=bool(options)):
                writer.write(record)
        return content("copy")

    def test_identity(self):
        for name in ("x86_64.pk", "arm64.pk", "arm64.perf", "s390x.pk", "two.pk", "small.pk"):
            self.assertEqual(self.copy(name), content(name), name)

    def test_identity_in_a_pipeline(self):
        program = "import pkstream; w = pkstream.Writer(1)\n" \
                  "for r in pkstream.open(ordered=False): w.write(r)\nw.close()"
        result = subprocess.run([sys.executable, "-c", program], input=content("x86_64.pk"),
                                stdout=subprocess.PIPE, check=True)
        self.assertEqual(result.stdout, content("x86_64.pk"))

    def test_filter(self):
        with pkstream.Writer(path("kept"), stage="keep-user") as writer:
            for record in pkstream.open(path("s390x.perf")):
                if record.type != "SAMPLE" or record.mode == "user":
                    writer.write(record)
        kept = output("pk-script", "--symfs=/none", "--kallsyms=/none", path("kept"))
        wanted = output("pk-filter", "--where", 'mode == "user"', path("s390x.perf"))
        wanted = subprocess.run(["pk-script", "--symfs=/none", "--kallsyms=/none"], input=wanted,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
        self.assertEqual(kept, wanted)
        self.assertGreater(len(kept), 1000)
        self.assertIn(b"keep-user", content("kept"))

    def test_order_must_be_declared(self):
        writer = pkstream.Writer(path("copy"))
        with self.assertRaises(ValueError):
            writer.write(next(iter(pkstream.open(path("x86_64.pk")))))

    def test_new_records(self):
        with pkstream.Writer(path("new")) as writer:
            writer.header()
            writer.write_record(pkstream_comm, 0, struct.pack("=II", 7, 8) + b"python\0\0")
            for body in (b"x", b"x" * 65528):
                with self.assertRaises(ValueError):
                    writer.write_record(3, 0, body)
        records = list((r.type, r.asdict()) for r in pkstream.open(path("new")))
        self.assertEqual(records[1], ("COMM", {"pid": 7, "tid": 8, "comm": "python"}))

    def test_errors(self):
        with self.assertRaises(TypeError):
            pkstream.Writer(path("copy")).write(b"bytes")
        writer = pkstream.Writer("/dev/full")
        with self.assertRaises(OSError) as caught:
            for record in pkstream.open(path("x86_64.pk"), ordered=False):
                writer.write(record)
            writer.close()
        self.assertIsInstance(caught.exception, pkstream.IOError)
        writer = pkstream.Writer(path("copy"))
        writer.close()
        with self.assertRaises(ValueError):
            writer.flush()


pkstream_comm = 3


class Counting(unittest.TestCase):
    def counters(self, *arguments, **options):
        try:
            return pkstream.Counters(*arguments, **options)
        except pkstream.Error as error:
            self.skipTest(str(error))

    def test_own_process(self):
        counters = self.counters("task-clock,page-faults:u")
        self.assertIn(counters.events[0], ("task-clock", "task-clock:u"))  # the second if the kernel may not be counted
        self.assertEqual(counters.events[1:], ("page-faults:u",))
        self.assertEqual(counters.tids, (os.getpid(),))
        with counters:
            block = bytearray(1 << 24)
        self.assertEqual(len(block), 1 << 24)
        before = counters.read()
        bytearray(1 << 24)
        self.assertEqual(counters.read(), before)
        self.assertGreater(before["page-faults:u"].value, 4)
        self.assertEqual(before["task-clock"].scaled, before["task-clock"].value)
        self.assertEqual(before["page-faults"], before["page-faults:u"])
        with self.assertRaises(KeyError):
            before["cycles"]
        counters.reset()
        self.assertEqual(counters.read()["page-faults:u"].value, 0)
        counters.close()
        with self.assertRaises(ValueError):
            counters.read()

    def test_children(self):
        with self.counters("task-clock") as counters:
            subprocess.run(["sleep", "0"], check=True)
        alone = self.counters("task-clock", pids=[os.getpid()], inherit=False)
        self.assertGreater(counters.read()["task-clock"].value, 0)
        self.assertIsNone(alone.read()["task-clock"].scaled)

    def test_processors(self):
        with self.counters("cpu-clock", cpus=0) as counters:
            sum(range(1000))
        self.assertEqual(counters.cpus, (0,))
        (name, cpu, tid, value, enabled, running), = counters.read_all()
        self.assertEqual((name, cpu, tid, enabled), ("cpu-clock", 0, -1, running))
        self.assertGreater(value, 0)

    def test_errors(self):
        with self.assertRaisesRegex(pkstream.Error, "no-such"):
            pkstream.Counters("no-such")
        with self.assertRaises(pkstream.Error):
            pkstream.Counters("cpu-clock", pids=99999999)

    def test_recording(self):
        self.counters("cpu-clock")
        with pkstream.record("-e", "dummy", "--", "sh", "-c", "true; exit 0") as reader:
            names = [record.comm for record in reader if record.type == "COMM"]
        self.assertIn("sh", names)
        self.assertEqual(reader.status, 0)
        with pkstream.record("-e", "cpu-clock", "--", "sleep", "100") as reader:
            next(iter(reader))
        with self.assertRaises(pkstream.TruncatedError):
            with pkstream.record("--no-such-option") as reader:
                next(iter(reader))
        self.assertEqual(reader.status, 2)

    def test_counts(self):
        options = ["-q", "-e", "page-faults,task-clock", "--", "sleep", "0"]
        stream = subprocess.run(["pk-stat", "--stream", *options], stdout=subprocess.PIPE, check=False)
        lines = subprocess.run(["pk-stat", "--json", *options], stderr=subprocess.PIPE, check=False)
        if stream.returncode or lines.returncode:
            self.skipTest("pk-stat cannot count here")
        with open(path("stat"), "wb") as file:
            file.write(stream.stdout)
        for source in (path("stat"), lines.stderr.decode().splitlines()):
            (counts,) = pkstream.counts(source)
            self.assertGreater(counts["task-clock"], 10000)
            self.assertGreater(counts.ratio("page-faults", "task-clock"), 0)
            self.assertIsNone(counts["cycles"])
            self.assertIsNone(counts.ratio("cycles", "task-clock"))
            counts["major-faults:u"] = 5
            self.assertEqual(counts["major-faults"], 5)

    def test_intervals(self):
        """Counts of a stream are those since its start; pk-stat --json calculates the same differences."""
        events = "context-switches,task-clock"
        program = "for i in 1 2 3; do sleep 0.02; done"
        made = subprocess.run(["pk-stat", "--stream", "-q", "-I", "20", "-e", events, "--", "sh", "-c", program],
                              stdout=subprocess.PIPE, check=False)
        if made.returncode:
            self.skipTest("pk-stat cannot count here")
        with open(path("stat"), "wb") as file:
            file.write(made.stdout)
        text = subprocess.run(["pk-stat", "--json", path("stat")], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=True).stdout
        expected = list(pkstream.counts(text.decode().splitlines()))
        found = list(pkstream.counts(path("stat")))
        self.assertEqual(len(found), len(expected))
        self.assertGreater(len(found), 1)
        for ours, theirs in zip(found, expected):
            self.assertAlmostEqual(ours.time, theirs.time)
            for event in events.split(","):
                self.assertAlmostEqual(ours[event] or 0, theirs[event] or 0, delta=1)


class Bulk(unittest.TestCase):
    names = ("time", "tid", "period", "comm", "symbol", "addr", "mode", "stack", "event")

    def check(self, name):
        columns = pkstream.open(path(name)).columns(*self.names)
        count = 0
        for i, sample in enumerate(pkstream.open(path(name)).samples()):
            for field in self.names:
                self.assertEqual(columns[field][i], getattr(sample, field), field)
            count += 1
        self.assertEqual(columns.count, count)
        for column in columns.values():
            self.assertEqual(len(column), count)
        return columns

    def test_values(self):
        for name in ("x86_64.pk", "arm64.pk", "s390x.perf", "two.pk"):
            self.check(name)

    def test_buffers(self):
        columns = pkstream.open(path("x86_64.pk")).columns(*self.names)
        self.assertEqual(columns["time"].values.format, "Q")
        self.assertEqual(columns["tid"].values.format, "q")
        self.assertEqual(columns["comm"].values.format, "i")
        self.assertEqual(len(set(columns["stack"].texts)), len(columns["stack"].texts))
        self.assertEqual(sum(columns["addr"].present), 0)
        self.assertIsNone(columns["time"].present)
        self.assertEqual(columns["time"].values.nbytes, 8 * columns.count)

    def test_batches(self):
        whole = pkstream.open(path("x86_64.pk")).columns("time", "symbol")
        times, symbols = [], []
        for columns in pkstream.open(path("x86_64.pk")).batches("time", "symbol", size=100):
            self.assertLessEqual(columns.count, 100)
            times.extend(columns["time"])
            symbols.extend(columns["symbol"])
        self.assertEqual(times, list(whole["time"]))
        self.assertEqual(symbols, list(whole["symbol"]))

    def test_errors(self):
        reader = pkstream.open(path("x86_64.pk"))
        for name, error in ((1, TypeError), ("callchain", ValueError), ("type", ValueError)):
            with self.assertRaises(error):
                reader.columns(name)

    def test_unknown_fields(self):
        for limit in (None, 3):
            with self.assertRaisesRegex(ValueError, r"^no field tidd; tid\?$"):
                pkstream.open(path("two.pk")).columns("tid", "tidd", limit=limit)
        with self.assertRaisesRegex(ValueError, "label"):
            pkstream.open(path("x86_64.pk")).columns("label.tidd")
        self.assertEqual(sum(pkstream.open(path("x86_64.pk")).columns("addr")["addr"].present), 0)
        reader = pkstream.open(path("x86_64.pk"), where="tidd == 3 || tid == 4")
        with self.assertRaisesRegex(ValueError, r"called tidd \(at character 1\)$"):
            for _ in reader.samples():
                pass


class Handlers(unittest.TestCase):
    def test_tracepoints(self):
        calls = []

        def sched__sched_switch(name, context, cpu, secs, nsecs, pid, comm, chain, *rest):
            *fields, sample = rest
            self.assertEqual(fields, list(context.fields.values()))
            self.assertEqual(secs * 10**9 + nsecs, context.time)
            self.assertEqual((cpu, pid, comm), (context.cpu, context.tid, context.comm))
            self.assertEqual(len(chain), len(context.callchain))
            self.assertEqual(sample["sample"]["time"], context.time)
            calls.append(name)

        def trace_unhandled(name, context, fields, sample):
            self.assertEqual(fields["fd"], context.fd)
            self.assertEqual(fields["common_pid"], sample["sample"]["tid"])
            calls.append(name)

        handlers = {
            "trace_begin": lambda: calls.append("begin"),
            "sched__sched_switch": sched__sched_switch,
            "trace_unhandled": trace_unhandled,
            "trace_end": lambda: calls.append("end"),
        }
        pkstream.run(handlers, path("arm64.pk"))
        self.assertEqual((calls[0], calls[-1]), ("begin", "end"))
        self.assertEqual(calls.count("sched__sched_switch"), 5)
        self.assertEqual(calls.count("syscalls__sys_enter_write"), 260)

    def test_other_events(self):
        params = []
        pkstream.run({"process_event": params.append}, path("x86_64.pk"))
        for param, sample in zip(params, pkstream.open(path("x86_64.pk")).samples()):
            self.assertEqual(param["ev_name"], sample.event)
            self.assertEqual(param["comm"], sample.comm)
            self.assertEqual(param["sample"]["period"], sample.period)
            names = [frame["sym"]["name"] for frame in param["callchain"] if "sym" in frame]
            self.assertEqual(names, [f.symbol for f in sample.callchain if f.symbol])
        self.assertGreater(len(params), 300)


if __name__ == "__main__":
    unittest.main(verbosity=1)
