# SPDX-License-Identifier: BSD-2-Clause
"""export_rows_binary.py BINARY JSON WHAT...: compares rows in RowBinaryWithNamesAndTypes with the lines of pk-export rows
--format json. Prints the number of rows."""
import json
import re
import struct
import sys


class Input:
    def __init__(self, data):
        self.data = data
        self.at = 0

    def bytes(self, size):
        if self.at + size > len(self.data):
            raise SystemExit("ends within a value, at %d" % self.at)
        self.at += size
        return self.data[self.at - size:self.at]

    def varint(self):
        value = shift = 0
        while True:
            byte = self.bytes(1)[0]
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def text(self):
        return self.bytes(self.varint()).decode()

    def value(self, kind):
        if kind.startswith("Nullable("):
            missing = self.bytes(1)[0]
            return None if missing else self.value(kind[9:-1])
        if kind == "String":
            return self.text()
        if kind == "UInt64":
            return struct.unpack("<Q", self.bytes(8))[0]
        if kind == "Int64":
            return struct.unpack("<q", self.bytes(8))[0]
        if kind == "DateTime":
            return struct.unpack("<I", self.bytes(4))[0]
        if kind == "FixedString(8)":
            return self.bytes(8).hex()
        if kind.startswith("Array("):
            return [self.value(kind[6:-1]) for _ in range(self.varint())]
        raise SystemExit("type " + kind)


def rows_of(data):
    source = Input(data)
    count = source.varint()
    names = [source.text() for _ in range(count)]
    kinds = [source.text() for _ in range(count)]
    while source.at < len(data):
        yield {name: source.value(kind) for name, kind in zip(names, kinds)}


def plain(value):
    """One spelling of numbers and text. Control characters are question marks but in JSON."""
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value if value is None else re.sub("[\0-\x1f\x7f\ufffd]", "?", str(value))


def spelled(rows):
    return [json.dumps({name: plain(value) for name, value in row.items()}) for row in rows]


def read(path):
    with open(path, "rb") as file:
        return file.read()


total = 0
for binary, lines, what in zip(sys.argv[1::3], sys.argv[2::3], sys.argv[3::3]):
    found = spelled(rows_of(read(binary)))
    expected = spelled(map(json.loads, read(lines).splitlines()))
    for number, rows in enumerate(zip(found, expected), 1):
        if rows[0] != rows[1]:
            raise SystemExit("%s: row %d: %s, not %s" % ((what, number) + rows))
    if len(found) != len(expected):
        raise SystemExit("%s: %d rows, not %d" % (what, len(found), len(expected)))
    total += len(found)
print(total)
