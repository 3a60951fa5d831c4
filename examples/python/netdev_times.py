# SPDX-License-Identifier: BSD-2-Clause
"""netdev_times.py FILE: the way of each sent packet, from the output of pk-span net.

Prints the device, the length, the time of its queueing, the time in the queue, and the time until it was freed,
or, through lo, received.
"""

import sys

import pkstream

queued = {}
for sample in pkstream.open(sys.argv[1]).samples():
    if sample.event == "pk:queue":
        queued[sample.skbaddr] = sample.start, sample.duration
    elif sample.event == "pk:transmit":
        start, wait = queued.pop(sample.skbaddr, (None, 0))
        if start is not None:
            time = f"{start // 1000000000}.{start % 1000000000 // 1000:06}"
            name, length = sample["trace.name"], sample["trace.len"]
            print(f"{name:8} {length:6} {time} s {wait / 1e6:9.3f} ms {sample.duration / 1e6:9.3f} ms")
