#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# In a fresh Debian 12 (tests/bare.sh): the Python package works when pip installs it from the checkout, as a wheel in a virtual
# environment, and as the package of Debian.
set -eu
export DEBIAN_FRONTEND=noninteractive
tests/deps.sh build
apt-get -qq install -y --no-install-recommends python3-dev python3-pip python3-venv python3-numpy zstd >/dev/null
zstd -qdc tests/data/x86_64.pk.zst >/tmp/app.pk
top=$PWD

# works PYTHON FOLDER: the module is from this folder, and reads samples
works()
{
	(cd / && "$1" -c '
import sys, pkstream
assert pkstream.__file__.startswith(sys.argv[1]), pkstream.__file__
assert sum(1 for sample in pkstream.open("/tmp/app.pk").samples() if sample.stack) > 300
assert pkstream.open("/tmp/app.pk").columns("time", "comm").count > 300
' "$2")
	echo "bare_python.sh: $2: works"
}

pip install -q --break-system-packages --no-index ./python
works python3 /usr/local/lib
pip uninstall -q -y --break-system-packages pkstream

pip wheel -q --no-index -w /tmp/wheels ./python
python3 -m venv /tmp/venv
/tmp/venv/bin/pip install -q --no-index /tmp/wheels/pkstream-*-cp39-abi3-linux_*.whl
works /tmp/venv/bin/python /tmp/venv/lib

make -s clean
make deb DEB_OPTIONS=-j2 >/tmp/deb.log 2>&1 || {
	tail /tmp/deb.log
	exit 1
}
apt-get -qq install -y ./build/deb/python3-pkstream_*.deb >/dev/null
works python3 /usr/lib/python3/dist-packages
cd /
python3 "$top/examples/python/twatch.py" /tmp/app.pk >/tmp/tasks
grep -q '^COMM' /tmp/tasks
python3 -c 'import numpy, pkstream
column = pkstream.open("/tmp/app.pk").columns("time")["time"]
assert (numpy.diff(numpy.asarray(column.values).astype("int64")) >= 0).all()'
