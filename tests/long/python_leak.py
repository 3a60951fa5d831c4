# SPDX-License-Identifier: BSD-2-Clause
"""python_leak.py FILE SAMPLES: reads the recording again and again, with all interfaces, until so many samples are read.

Prints: samples, rounds, bytes that malloc and Python have given out after the second round, the same at the end, the largest resident set
in KiB.
"""

import ctypes
import gc
import resource
import sys

import pkstream


class Mallinfo2(ctypes.Structure):
    """struct mallinfo2 of glibc 2.33."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost".split()
    ]


def in_use():
    libc = ctypes.CDLL(None)
    libc.mallinfo2.restype = Mallinfo2
    gc.collect()
    info = libc.mallinfo2()
    return info.uordblks + info.hblkhd


def read(path):
    count = 0
    with pkstream.open(path) as reader:
        for record in reader:
            if record.type != "SAMPLE":
                record.asdict()
                continue
            count += 1
            assert record.comm and record.period and record.time is not None
            assert record.symbol is None or record.stack
            if count % 100 == 0:
                record.asdict()
    for columns in pkstream.open(path).batches("time", "comm", "symbol", "stack", size=100000):
        count += columns.count
    return count


def main(path, wanted):
    count = rounds = first = 0
    while count < int(wanted) or rounds < 3:
        count += read(path)
        rounds += 1
        if rounds == 2:
            first = in_use()
    print(count, rounds, first, in_use(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


main(*sys.argv[1:])
