# SPDX-License-Identifier: BSD-2-Clause
"""What the recordings for tests/live/scripts.sh record: calls that fail, reads, writes, packets, dropped packets, futexes."""

import os
import socket
import threading
import time

for name in ("/no/such/file", "/none"):
    try:
        os.open(name, os.O_RDONLY)
    except OSError:
        pass
with open("/dev/zero", "rb", 0) as zero, open("/dev/null", "wb", 0) as null:
    for size in (100, 1000, 4096):
        null.write(zero.read(size))
try:
    os.read(os.open("/proc/self/mem", os.O_RDONLY), 10)
except OSError:
    pass
server = socket.create_server(("127.0.0.1", 0))
client = socket.create_connection(server.getsockname())
peer, _ = server.accept()
for i in range(5):
    client.sendall(b"x" * 100 * (i + 1))
    peer.recv(1000)
udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for i in range(3):
    try:
        udp.sendto(b"to nobody", ("127.0.0.1", 9))
    except OSError:
        pass
lock = threading.Lock()
lock.acquire()


def wait():
    for _ in range(3):
        lock.acquire()
        lock.release()


threads = [threading.Thread(target=wait) for _ in range(3)]
for thread in threads:
    thread.start()
time.sleep(0.01)
lock.release()
for thread in threads:
    thread.join()
os.system("cat /no/file 2>/dev/null; head -c 5000 /dev/zero | wc -c >/dev/null")
