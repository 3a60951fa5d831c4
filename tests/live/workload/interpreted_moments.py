# SPDX-License-Identifier: BSD-2-Clause
# Calls python_moments.moment() from all kinds of frames of Python. The first argument is the number of rounds: 16 of them have some
# 4,700 moments.
import asyncio
import contextlib
import functools
import os
import re
import sys
import threading
import time

import python_moments
from python_moments import moment

try:
    import _interpreters as interpreters  # 3.13
except ImportError:
    try:
        import _xxsubinterpreters as interpreters
    except ImportError:
        interpreters = None


def recurse(depth):
    if depth:
        recurse(depth - 1)
    moment()


def generate(n):
    for i in range(n):
        moment()
        yield i


def delegate():
    moment()
    yield from generate(2)
    try:
        yield from generate(3)
    finally:
        moment()


def generators():
    for _ in delegate():
        moment()
    cut = delegate()
    next(cut)
    next(cut)
    next(cut)
    next(cut)
    cut.close()
    thrown = delegate()
    next(thrown)
    next(thrown)
    next(thrown)
    next(thrown)
    with contextlib.suppress(KeyError):
        thrown.throw(KeyError("x"))
    sum(x for x in generate(2) if not moment())


class Awaited:
    def __await__(self):
        moment()
        yield None
        moment()


class Manager:
    async def __aenter__(self):
        moment()
        await asyncio.sleep(0)
        return self

    async def __aexit__(self, *what):
        await Awaited()
        moment()


async def items():
    for i in range(2):
        moment()
        await asyncio.sleep(0)
        yield i


async def inner(depth):
    if depth:
        return await inner(depth - 1)
    moment()
    await asyncio.sleep(0)
    moment()
    await Awaited()


async def outer(n):
    async with Manager():
        await inner(n)
    async for _ in items():
        moment()
    return [moment() async for _ in items()]


async def together():
    await asyncio.gather(outer(1), outer(3), asyncio.create_task(inner(2)))


class Kinds:
    def __init__(self):
        moment()

    def __eq__(self, other):
        moment()
        return True

    def __hash__(self):
        moment()
        return 1

    def __getattr__(self, name):
        moment()
        return name

    def __add__(self, other):
        moment()
        return self

    def __getitem__(self, key):
        moment()
        return key

    def __call__(self):
        moment()

    def __del__(self):
        moment()

    def __enter__(self):
        moment()

    def __exit__(self, *what):
        moment()

    @property
    def value(self):
        moment()

    @classmethod
    def make(cls):
        moment()
        return cls()

    @staticmethod
    def plain():
        moment()


def kinds():
    one = Kinds.make()
    one.plain()
    one.value
    one.absent
    one + 1
    one[3]
    one()
    one == 2
    {one: 1}
    with one:
        moment()
    del one

    class Local(Kinds):
        moment()

        def __init__(self):
            super().__init__()
            moment()

    Local()
    (lambda: moment())()
    functools.partial(Kinds.plain)()


def short_lived():
    """Code that is freed at once."""
    exec("def made():\n    moment()\n\nmade()\n", {"moment": moment})
    eval("moment()")


def replace(match):
    moment()
    return "x"


def callbacks():
    sorted([3, 1, 2], key=lambda x: [x, moment()][0])
    list(map(lambda x: moment(), range(3)))
    re.sub("a", replace, "aab")
    [moment() for _ in range(2)]
    {x: moment() for x in range(2)}
    functools.reduce(lambda a, b: moment(), [1, 2, 3])
    min([2, 1], key=lambda x: [x, recurse(2)][0])


def exceptions():
    try:
        try:
            raise ValueError("x")
        except ValueError:
            moment()
            raise KeyError("y") from None
        finally:
            moment()
    except KeyError:
        recurse(1)


SCRIPT = """
from python_moments import moment

def within(n):
    if n:
        within(n - 1)
    moment()

def gen():
    moment()
    yield 1

within(3)
list(gen())
sorted([2, 1], key=lambda x: [x, moment()][0])
"""


def others():
    moment()
    if interpreters:
        other = interpreters.create()
        python_moments.call_other(functools.partial(interpreters.run_string, other, SCRIPT))
        interpreters.destroy(other)
        moment()


def child():
    pid = os.fork()
    if not pid:
        work()
        os._exit(0)
    os.waitpid(pid, 0)
    moment()


def work():
    recurse(6)
    recurse(40)
    generators()
    asyncio.run(together())
    kinds()
    callbacks()
    exceptions()


def start():
    work()
    python_moments.own_thread(work)


def warm_up():
    """Until the files that the program maps are known, stacks have no frames of Python."""
    end = time.monotonic() + 1
    while time.monotonic() < end:
        round_of_all(0)


def round_of_all(number):
    work()
    if number % 16 == 0:
        others()
        short_lived()
    python_moments.bare_thread()
    if number % 8 == 0:
        threads = [threading.Thread(target=start) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        child()


def main():
    warm_up()
    python_moments.start()
    for number in range(int(sys.argv[1])):
        round_of_all(number)
    time.sleep(0.5)  # the last stacks are read before the code is freed


main()
