# SPDX-License-Identifier: BSD-2-Clause
"""The part of the reader that needs no C."""

import sys

from . import _pkstream


class Column:
    """The values of one field in many samples.

    values is a memoryview: of numbers (format "Q" or "q"), or of indexes in texts (format "i"; -1:
    the sample has no such value). present is None if all samples have the number, else a memoryview
    with 1 or 0 for each sample. texts is None for numbers; the texts of the column "stack" are
    tuples of frames.
    """

    __slots__ = ("values", "present", "texts")

    def __init__(self, code, values, present, texts):
        self.values = memoryview(values).cast(code)
        self.present = None if present is None else memoryview(present)
        self.texts = texts

    def __len__(self):
        return len(self.values)

    def __getitem__(self, index):
        """The value of one sample; None: it has no such value."""
        value = self.values[index]
        if self.texts is not None:
            return self.texts[value] if value >= 0 else None
        return value if self.present is None or self.present[index] else None

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def __repr__(self):
        shown = ", ".join(repr(self[i]) for i in range(min(len(self), 5)))
        return f"<Column of {len(self)} samples: [{shown}{', ...' if len(self) > 5 else ''}]>"

    def to_pandas(self):
        """Return a pandas.Series. Texts become categories; a missing value becomes NA."""
        import numpy
        import pandas

        values = numpy.array(self.values)
        if self.texts is not None:
            places = {text: place for place, text in enumerate(dict.fromkeys(self.texts))}
            codes = numpy.array([places[text] for text in self.texts] + [-1])[values]
            categories = pandas.Index(list(places), dtype=object, tupleize_cols=False)
            return pandas.Series(pandas.Categorical.from_codes(codes, categories))
        if self.present is None:
            return pandas.Series(values)
        return pandas.Series(pandas.arrays.IntegerArray(values, numpy.array(self.present) == 0))


class Columns(dict):
    """Columns by name; count is the number of samples."""

    def __init__(self, names, count, parts):
        super().__init__((name, Column(*part)) for name, part in zip(names, parts))
        self.count = count

    def __repr__(self):
        return f"<Columns of {self.count} samples: {', '.join(self)}>"

    def to_pandas(self):
        """Return a pandas.DataFrame with a row for each sample (see Column.to_pandas)."""
        import pandas

        return pandas.DataFrame({name: column.to_pandas() for name, column in self.items()})


class Reader(_pkstream.Reader):
    """Reader(source, *, ordered=True, where=None, skip_damaged=False)

    Reads a stream, a perf.data file or a directory of perf record --threads from a path, a
    descriptor, or an object with fileno(). Iteration returns all records, SAMPLEs as Sample, others
    as Record. They are valid until the next one is read.

    ordered: return the records in the order of time; else in that of the input. where: return only
    the samples for which this condition (docs/where.md) is true. skip_damaged: warn about malformed
    records instead of raising DamagedError.
    """

    def columns(self, *names, limit=None):
        """Read the fields of all samples, or of the next `limit` samples, as Columns."""
        count, parts = self._columns(names, -1 if limit is None else limit)
        return Columns(names, count, parts)

    def batches(self, *names, size=1 << 20):
        """Return an iterator over Columns of `size` samples each, so that memory is limited."""
        while True:
            columns = self.columns(*names, limit=size)
            if not columns.count:
                return
            yield columns

    def __repr__(self):
        return f"<Reader of the events {', '.join(event['name'] for event in self.events)}>"

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()


def open(source="-", **options):
    """Open a recording: a path, a descriptor, an object with fileno(), or "-" for stdin."""
    return Reader(sys.stdin.fileno() if source == "-" else source, **options)
