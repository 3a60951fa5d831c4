# SPDX-License-Identifier: BSD-2-Clause
"""Builds the wheel for pip (PEP 517) with the Makefile of the checkout and Python's own library."""

import base64
import hashlib
import os
import re
import subprocess
import sys
import sysconfig
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(HERE)


def version():
    with open(os.path.join(TOP, "Makefile"), encoding="utf-8") as makefile:
        return re.search(r"^VERSION *= *(\S+)", makefile.read(), re.M).group(1)


def tags():
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return f"cp39-abi3-{platform}"


def built():
    """The folder of the built package."""
    folder = os.environ.get("B", "build")
    command = ["make", "-s", "-C", TOP, f"B={folder}", f"PYTHON={sys.executable}", "python"]
    subprocess.run(command, check=True, stdout=sys.stderr)
    package = os.path.join(TOP, folder, "python", "pkstream")
    if not os.path.exists(os.path.join(package, "_pkstream.abi3.so")):
        sys.exit("Python.h was not found: install python3-dev, or Python with its headers")
    return package


def metadata():
    return (
        "Metadata-Version: 2.1\n"
        "Name: pkstream\n"
        f"Version: {version()}\n"
        "Summary: Reads and writes Linux profiler record streams\n"
        "License: BSD-2-Clause\n"
        "Requires-Python: >=3.9\n"
    )


def record_line(name, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    package = built()
    info = f"pkstream-{version()}.dist-info"
    wheel = f"Wheel-Version: 1.0\nGenerator: pk\nRoot-Is-Purelib: false\nTag: {tags()}\n"
    files = {f"{info}/METADATA": metadata().encode(), f"{info}/WHEEL": wheel.encode()}
    for name in sorted(os.listdir(package)):
        if name.endswith((".py", ".pyi", ".so", "py.typed")):
            with open(os.path.join(package, name), "rb") as file:
                files[f"pkstream/{name}"] = file.read()
    lines = "".join(record_line(name, data) for name, data in files.items())
    files[f"{info}/RECORD"] = (lines + f"{info}/RECORD,,\n").encode()
    result = f"pkstream-{version()}-{tags()}.whl"
    with zipfile.ZipFile(os.path.join(wheel_directory, result), "w", zipfile.ZIP_DEFLATED) as out:
        for name, data in files.items():
            out.writestr(name, data)
    return result


def build_sdist(sdist_directory, config_settings=None):
    sys.exit("the package is built from a checkout of pk: pip install ./python, or pip wheel ./python")
