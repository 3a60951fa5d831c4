# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Sourced by the scripts that look at pictures in headless Chromium (browser.py drives it).
for program in chromium python3; do
	command -v $program >/dev/null || { echo "$program is not installed" >&2; exit 77; }
done
[ "$(ulimit -n)" = unlimited ] || [ "$(ulimit -n)" -ge 256 ] || {
	echo "Chromium needs more than $(ulimit -n) file descriptors" >&2
	exit 77
}
export HOME=$PWD
