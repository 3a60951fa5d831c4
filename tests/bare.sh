#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# bare.sh [COMMAND]: runs the shell command, or make demo and make check, in a fresh Debian 12 that has only git and
# make, from a clone of the last commit. tests/chroot.bash has what it needs.
# PK_BARE_KEEP=1: keep the copy.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd -P)
. "$top/tests/chroot.bash"
dir=$(mktemp -d /var/tmp/pk-bare.XXXXXX)
trap '[ -n "${PK_BARE_KEEP-}" ] || rm -rf "$dir"' EXIT
new_root bookworm "$dir"
in_root "$dir" 'apt-get -qq update && apt-get -qq install -y --no-install-recommends git make >/dev/null'
git clone -q --no-hardlinks "$top" "$dir/root/pk"
in_root "$dir" "cd pk; ${1-make demo && make check}"
