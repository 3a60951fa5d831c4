# SPDX-License-Identifier: BSD-2-Clause
"""net_dropmonitor.py FILE [KALLSYMS]: where the kernel drops packets, from a recording of skb:kfree_skb."""

import bisect
import collections
import sys

import pkstream


def main(recording, kallsyms="/proc/kallsyms"):
    with open(kallsyms, encoding="ascii") as lines:
        symbols = sorted((int(line.split()[0], 16), line.split()[2]) for line in lines)
    drops = collections.Counter(
        sample.location for sample in pkstream.open(recording, where='event == "skb:kfree_skb"').samples()
    )
    for location, count in drops.most_common():
        start, name = symbols[bisect.bisect(symbols, (location + 1,)) - 1]
        print(f"{count:8} {name}+{location - start:#x}")


main(*sys.argv[1:])
