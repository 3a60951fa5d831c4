# SPDX-License-Identifier: BSD-2-Clause
"""twatch.py [FILE]: prints processes and threads that start, change their name and end.

    pk-record -q -a -e dummy --for 10s | python3 twatch.py
"""

import sys

import pkstream

for record in pkstream.open(*sys.argv[1:]):
    if record.type == "COMM":
        print(f"COMM {record.pid}/{record.tid} {record.comm}", flush=True)
    elif record.type in ("FORK", "EXIT"):
        print(f"{record.type} {record.pid}/{record.tid} of {record.ppid}/{record.ptid}", flush=True)
