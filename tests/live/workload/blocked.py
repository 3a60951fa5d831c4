# SPDX-License-Identifier: BSD-2-Clause
# Threads that wait in known places. At SIGUSR1, faulthandler writes the stacks of all threads to the file ARGV[1].
import asyncio, faulthandler, functools, os, re, signal, sys, threading

event = threading.Event()
count = int(sys.argv[2])
waiting = threading.Semaphore(0)


def wait():
    waiting.release()
    event.wait()


def recurse(depth):
    return recurse(depth - 1) if depth else wait()


class Worker:
    def __call__(self):
        return [self.method(i) for i in (1,)]

    def method(self, i):
        return sorted([i, i], key=lambda _: wait())


def generate(depth):
    if depth:
        yield from generate(depth - 1)
    yield wait()


def generator():
    return sum(generate(5))


async def inner():
    wait()


async def outer():
    await inner()


def coroutine():
    asyncio.new_event_loop().run_until_complete(outer())


def replaced():
    re.sub("x", lambda match: wait(), "axb")


def executed():
    exec(compile("def greet():\n\n    wait()\ngreet()", "/tmp/made up.py", "exec"), {"wait": wait})


def handler():
    try:
        raise ValueError
    except ValueError:
        wait()


kinds = [functools.partial(recurse, 15), Worker(), generator, coroutine, replaced, executed, handler]
for i in range(count):
    threading.Thread(target=kinds[i % len(kinds)], daemon=True).start()
for i in range(count):
    waiting.acquire()
faulthandler.register(signal.SIGUSR1, open(sys.argv[1], "w"), all_threads=True)
for thread in threading.enumerate():
    print("thread", thread.native_id, hex(thread.ident), flush=True)
print("ready", flush=True)
while True:
    signal.pause()
