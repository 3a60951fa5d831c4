# SPDX-License-Identifier: BSD-2-Clause
"""rows_binary.py FILE: prints RowBinaryWithNamesAndTypes as the JSON lines of pk-export rows --format json."""
import json
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
        if kind == "FixedString(16)":
            return self.bytes(16).hex()
        if kind.startswith("Array("):
            return [self.value(kind[6:-1]) for _ in range(self.varint())]
        raise SystemExit("type " + kind)


source = Input(open(sys.argv[1], "rb").read())
count = source.varint()
names = [source.text() for _ in range(count)]
kinds = [source.text() for _ in range(count)]
while source.at < len(source.data):
    row = {name: source.value(kind) for name, kind in zip(names, kinds)}
    print(json.dumps(row, ensure_ascii=False, separators=(",", ":")))
