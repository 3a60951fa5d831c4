# SPDX-License-Identifier: BSD-2-Clause
# Burns time in known chains of calls: functions, generators, methods, callbacks of C, and the same in a thread.
import re
import sys
import threading


def burn(n):
    x = 0
    for i in range(n):
        x += i * i
    return x


def recurse(depth):
    if depth:
        return recurse(depth - 1)
    return burn(20000)


def generate():
    for _ in range(3):
        yield burn(20000)


class Worker:
    def method(self):
        return sum(generate())

    @classmethod
    def make(cls):
        return cls().method()


def key(x):
    burn(20000)
    return x


def replace(match):
    burn(20000)
    return "x"


def work(rounds):
    for _ in range(rounds):
        recurse(5)
        Worker.make()
        sorted([3, 1, 2], key=key)
        re.sub("a", replace, "abab")


def main():
    rounds = int(sys.argv[1])
    thread = threading.Thread(target=work, args=(rounds,))
    thread.start()
    work(rounds)
    thread.join()


main()
