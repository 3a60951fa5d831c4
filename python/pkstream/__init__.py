# SPDX-License-Identifier: BSD-2-Clause
"""Read and write perf's record stream, and the symbolized streams of pk.

    import pkstream

    with pkstream.open("perf.data") as reader:
        for sample in reader.samples():
            print(sample.comm, sample.time, sample.symbol)

docs/python.md describes the module, docs/fields.md the fields of samples.
"""

from ._pkstream import (
    DamagedError,
    Error,
    Frame,
    IOError,
    Record,
    Sample,
    StaleError,
    StreamWarning,
    TruncatedError,
    UnsupportedError,
    Writer,
    field_names,
    version as __version__,
)
from ._live import Count, Counters, Counts, Recording, counts, record
from ._reader import Column, Columns, Reader, open
from ._run import run

__all__ = [
    "Column", "Columns", "Count", "Counters", "Counts", "DamagedError", "Error", "Frame", "IOError",
    "Reader", "Record", "Recording", "Sample", "StaleError", "StreamWarning", "TruncatedError",
    "UnsupportedError", "Writer", "counts", "field_names", "open", "record", "run",
]
