#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# bare.sh [COMMAND]: runs the shell command, or make demo and make check, in a fresh Debian 12 that has only git and
# make, from a clone of the last commit. Needs root, debootstrap and a Debian mirror.
# PK_BARE_BASE=DIR: start from this result of an earlier debootstrap.  PK_BARE_KEEP=1: keep the copy.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd -P)
[ "$(id -u)" = 0 ] || {
	echo "bare.sh: needs root for chroot" >&2
	exit 1
}
dir=$(mktemp -d /var/tmp/pk-bare.XXXXXX)
trap '[ -n "${PK_BARE_KEEP-}" ] || rm -rf "$dir"' EXIT
chmod 755 "$dir" # ordinary users must be able to enter it: it becomes /
if [ -n "${PK_BARE_BASE-}" ]; then
	cp -a "$PK_BARE_BASE/." "$dir"
else
	debootstrap --variant=minbase --include=git,make bookworm "$dir" >"$dir.log" 2>&1 || {
		tail "$dir.log" >&2
		exit 1
	}
	rm -f "$dir.log"
fi
cp /etc/resolv.conf "$dir/etc/"
cp -n /etc/apt/apt.conf.d/* "$dir/etc/apt/apt.conf.d/" 2>/dev/null || :
git clone -q --no-hardlinks "$top" "$dir/root/pk"

# The mounts are in their own namespace, and vanish with it.
unshare --mount bash -eu -c '
	mount -t proc proc "$1/proc"
	mount -t sysfs sysfs "$1/sys"
	mount --rbind /dev "$1/dev"
	exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb \
		chroot "$1" sh -c "cd /root/pk && $2"
' bash "$dir" "${1-make demo && make check}" </dev/null
