# SPDX-License-Identifier: BSD-2-Clause
# Frames that lead to themselves, and names that are long or have control characters.
import ctypes
import sys
import time


def burn(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def named(name):
    def function():
        burn(0.1)

    function.__code__ = function.__code__.replace(co_name=name, co_qualname=name)
    function()


def loop():
    frame = ctypes.c_uint64.from_address(id(sys._getframe()) + 24).value
    previous = ctypes.c_uint64.from_address(frame + (48 if sys.version_info < (3, 12) else 8))
    caller = previous.value
    previous.value = frame
    try:
        burn(0.1)
    finally:
        previous.value = caller


named("n" * 1000000)
named("\x1b[2J\n;escape")
named("\u00e9\u1234\U0001f600")
loop()
